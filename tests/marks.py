"""Marks and spaces that Chinese text does not write, found in what relviz shows in Chinese."""

import re

HAN = "[一-鿿]"
CODE = re.compile(r"`[^`\n]*`|\{[^。，；]*?\}|\([^()]*\)")  # and what a dict or a call is written like
ODD = re.compile(
    rf"{HAN}[,;:]|{HAN} [,;:] |[,;:] ?{HAN}"  # half marks beside a character
    rf"|{HAN} ?\.\.\.|, \.\.\.|、\.\.\."
    r"|[，。；：、？！）](?: +[^\s|])"  # a space behind a mark that has room of its own
    r"|[^\s|](?: +)[，。；：、？！（）]"
    rf"|{HAN} {HAN}"
)
# The columns of a TREC line, shown as they are written.
COLUMNS = ("查询 0 文档 等级", "查询 Q0 文档 名次 分数 标签")


def odd(text: str) -> list[str]:
    """Each such place, with the words around it; code is left out."""
    for columns in COLUMNS:
        text = text.replace(columns, "x")
    text = CODE.sub("x", text)
    return [text[max(0, found.start() - 12) : found.end() + 12] for found in ODD.finditer(text)]
