// Evaluates requests with the npm package @cloud-copilot/iam-simulate, as a process of its own.
// In: a file of {policies: {name: document}, requests: [{principal, action, resource, account, context, policies}]}.
// Out: {seconds, allowed}; a first pass over some requests warms it up.
import { readFileSync } from 'node:fs'
import { runSimulation } from '@cloud-copilot/iam-simulate'

const input = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const simulations = input.requests.map((one) => ({
  request: {
    principal: one.principal,
    action: one.action,
    resource: { resource: one.resource, accountId: one.account },
    contextVariables: one.context,
  },
  identityPolicies: one.policies.map((name) => ({ name, policy: input.policies[name] })),
  serviceControlPolicies: [],
  resourceControlPolicies: [],
}))

async function all(some) {
  let allowed = 0
  for (const simulation of some) {
    const found = await runSimulation(simulation, {})
    if (found.resultType !== 'error' && found.overallResult === 'Allowed') allowed += 1
  }
  return allowed
}

await all(simulations.slice(0, 500))
const before = process.cpuUsage()
const allowed = await all(simulations)
const used = process.cpuUsage(before)
console.log(JSON.stringify({ seconds: (used.user + used.system) / 1e6, allowed }))
