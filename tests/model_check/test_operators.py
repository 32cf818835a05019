"""Every operator of the specification is used: by another, by a configuration or by the program and its tests."""

import re

from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.test_reachability import REACHED_IN

ROOT = spec_folder().parent
DEFINED = re.compile(r"^(?:LOCAL )?(\w+)(?:\([^)\n]*\))? ==", re.MULTILINE)


def test_every_operator_is_used_but_the_beginning_of_a_module_whose_models_begin_later() -> None:
    modules = [re.sub(r"\\\*.*", "", file.read_text(encoding="utf-8")) for file in spec_folder().glob("*.tla")]
    configs = [(spec_folder() / name).read_text(encoding="utf-8") for name in ("Catan.cfg", "models.toml")]
    programs = [
        file.read_text(encoding="utf-8") for folder in ("catan_p2p", "tests") for file in (ROOT / folder).rglob("*.py")
    ]
    texts = [*(DEFINED.sub("", text) for text in modules), *configs, *programs, *REACHED_IN]
    used = set(re.findall(r"_?(\w+)", " ".join(texts)))
    used |= {name.removeprefix("_") for name in used}
    unused = {name for text in modules for name in DEFINED.findall(text)} - used
    assert not {name for name in unused if not name.endswith("Init")}
