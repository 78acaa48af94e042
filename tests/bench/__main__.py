"""Print how long the main steps take, beside others who do the same: `make bench`. Figures to read, no assertions.

Times are processor times, so that a busy machine changes little; ratios are of figures of this one run. `--full` adds
50,000 roles, and takes exports of 100,000 rows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench import differences, documents, exports, processes, translations, trusts
from tests.bench.dumps import account_dump
from tests.bench.estates import Account, growth_rows
from tests.bench.table import HEAD, Row, rate, seconds

SIZES = (1_000, 10_000)
MORE = (50_000,)
EXPORTS = (5_000, 20_000)
ALL_EXPORTS = (10_000, 100_000)


def rows(folder: Path, sizes: tuple[int, ...]) -> Iterator[Row]:
    """Yield the table from top to bottom."""
    yield processes.start_up()
    yield from growth_rows(folder, sizes)
    yield from processes.memory(account_dump(folder, 10_000))
    yield from chain(documents.expansion(), differences.rows(folder))
    account = Account(folder, 10_000)
    yield from chain(account.who_can(), account.checks(), account.trusts())
    yield Row(f"judge {trusts.MANY:,} generated trusts", rate(trusts.MANY, seconds(trusts.judge_many)))
    yield from chain(Account(folder, 1_000).audits(), account.audits())
    yield from translations.rows(folder)
    yield from exports.rows(folder, EXPORTS if MORE[-1] not in sizes else ALL_EXPORTS)


def main() -> None:
    """Print the table as it grows."""
    sizes = (*SIZES, *MORE) if "--full" in sys.argv[1:] else SIZES
    print(HEAD)
    with TemporaryDirectory() as folder:
        for row in rows(Path(folder), sizes):
            print(row.line(), flush=True)


if __name__ == "__main__":
    main()
