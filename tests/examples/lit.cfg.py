# The programs under examples/, tested like those under tests/run/.
import os

lit_config.load_config(config, os.path.join(os.path.dirname(__file__), "..", "lit.cfg.py"))
from programs import Programs

config.name = "examples"
config.test_source_root = os.path.join(os.path.dirname(config.test_source_root), "examples")
config.test_exec_root = os.path.join(config.test_exec_root, "examples")
os.makedirs(config.test_exec_root, exist_ok=True)
config.test_format = Programs()
config.suffixes = [".ttl", ".tc", ".weld", ".tinytc"]
