"""The algebra of access: sets of texts, addresses, numbers and times that can be asked and combined."""

from __future__ import annotations

from idtrans.algebra._ip import IpSet
from idtrans.algebra._number import NumberSet
from idtrans.algebra._sets import Kind, ValueSet
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
from idtrans.algebra._time import TimeSet

__all__ = [
    "ANY_TEXT",
    "FRESH",
    "NO_TEXT",
    "ONE_CHAR",
    "STAR",
    "TEXT_BUDGET",
    "Automaton",
    "IpSet",
    "Kind",
    "Language",
    "NumberSet",
    "TextBudget",
    "TimeSet",
    "ValueSet",
    "Wildcard",
    "arn_glob",
    "arn_pieces",
    "containing",
    "exact",
    "glob",
    "intersection",
    "leading",
    "one_of",
    "pieces",
    "prefix",
    "suffix",
    "union",
]
