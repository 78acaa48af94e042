"""The algebra of access: sets of values, conditions over them, and sets of requests that can be asked and compared."""

from __future__ import annotations

from idtrans.algebra._access import (
    EVERYTHING,
    NOTHING,
    Access,
    AllOf,
    AnyOf,
    Box,
    Except,
    Gate,
    Resources,
    boxes,
    grants,
)
from idtrans.algebra._condition import (
    ACTION,
    ALWAYS,
    FIXED_KEYS,
    NEVER,
    PRINCIPAL,
    RESOURCE,
    Always,
    Both,
    Choice,
    Condition,
    Either,
    Has,
    Negation,
    Never,
    Opaque,
    Quantifier,
    Test,
    all_of,
    any_of,
    negate,
    simplify,
)
from idtrans.algebra._condition_reduce import (
    reduce,
)
from idtrans.algebra._condition_shape import (
    Clause,
    clauses,
    positive,
    rewrite,
    same,
)
from idtrans.algebra._condition_template import (
    Template,
    Variable,
)
from idtrans.algebra._condition_words import (
    describe,
    leaves,
    opaques,
    to_ast,
)
from idtrans.algebra._evaluate import (
    Evaluation,
    decide,
    evaluate,
    holds,
)
from idtrans.algebra._ip import (
    IpSet,
)
from idtrans.algebra._number import (
    NumberSet,
)
from idtrans.algebra._ordered import (
    Bound,
    Range,
)
from idtrans.algebra._search import (
    difference,
    differences,
)
from idtrans.algebra._search_branches import (
    Contents,
)
from idtrans.algebra._search_domain import (
    DEFAULT_BUDGET,
    Budget,
    Difference,
    Domain,
    Status,
    Unsure,
)
from idtrans.algebra._sets import (
    Kind,
    ValueSet,
)
from idtrans.algebra._shelves import (
    Shelf,
    heads_of_texts,
)
from idtrans.algebra._text import (
    ANY_TEXT,
    FRESH,
    NO_TEXT,
    ONE_CHAR,
    STAR,
    TEXT_BUDGET,
    Automaton,
    Language,
    TextBudget,
    Wildcard,
    arn_glob,
    arn_pieces,
    containing,
    exact,
    glob,
    intersection,
    leading,
    one_of,
    pieces,
    prefix,
    suffix,
    union,
)
from idtrans.algebra._text_forms import (
    Forms,
)
from idtrans.algebra._time import (
    TimeSet,
)
from idtrans.algebra._truth import (
    Truth,
)

__all__ = [
    "ACTION",
    "ALWAYS",
    "ANY_TEXT",
    "DEFAULT_BUDGET",
    "EVERYTHING",
    "FIXED_KEYS",
    "FRESH",
    "NEVER",
    "NOTHING",
    "NO_TEXT",
    "ONE_CHAR",
    "PRINCIPAL",
    "RESOURCE",
    "STAR",
    "TEXT_BUDGET",
    "Access",
    "AllOf",
    "Always",
    "AnyOf",
    "Automaton",
    "Both",
    "Bound",
    "Box",
    "Budget",
    "Choice",
    "Clause",
    "Condition",
    "Contents",
    "Difference",
    "Domain",
    "Either",
    "Evaluation",
    "Except",
    "Forms",
    "Gate",
    "Has",
    "IpSet",
    "Kind",
    "Language",
    "Negation",
    "Never",
    "NumberSet",
    "Opaque",
    "Quantifier",
    "Range",
    "Resources",
    "Shelf",
    "Status",
    "Template",
    "Test",
    "TextBudget",
    "TimeSet",
    "Truth",
    "Unsure",
    "ValueSet",
    "Variable",
    "Wildcard",
    "all_of",
    "any_of",
    "arn_glob",
    "arn_pieces",
    "boxes",
    "clauses",
    "containing",
    "decide",
    "describe",
    "difference",
    "differences",
    "evaluate",
    "exact",
    "glob",
    "grants",
    "heads_of_texts",
    "holds",
    "intersection",
    "leading",
    "leaves",
    "negate",
    "one_of",
    "opaques",
    "pieces",
    "positive",
    "prefix",
    "reduce",
    "rewrite",
    "same",
    "simplify",
    "suffix",
    "to_ast",
    "union",
]
