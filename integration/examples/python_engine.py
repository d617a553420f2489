"""A provider for a pipeline engine in Python, with nothing but the standard library."""
import json
import subprocess


class ProviderError(Exception):
    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']} {error['hint']}")
        self.code, self.retryable, self.partial = error["code"], error["retryable"], error.get("partial")


class GeminiCliProvider:
    def __init__(self, *flags, command=("npx", "gemini-cli-provider")):
        self.command = [*command, "run", "-", "--json", "--events", *flags]

    def generate(self, prompt, on_event=lambda event: None):
        with subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as step:
            step.stdin.write(prompt)
            step.stdin.close()
            for line in map(json.loads, step.stdout):
                if "ok" not in line:
                    on_event(line)
                elif line["ok"]:
                    return {"response": line["text"], "files": line["filesWritten"], "session": line["sessionId"]}
                else:
                    raise ProviderError(line["error"])
        raise RuntimeError(f"The step printed no result and exited with {step.returncode}")
