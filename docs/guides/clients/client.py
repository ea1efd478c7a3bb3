"""A client of Vouch in one file: nothing but urllib. `python3 client.py`, in the folder of a running `npm start`."""

import json
import time
import urllib.error
import urllib.request
import uuid

with open(".vouch/credentials.json", encoding="utf-8") as file:
    CREDENTIALS = json.load(file)
BASE_URL = CREDENTIALS["base_url"]
API_KEY = CREDENTIALS["agent"]["api_key"]


class VouchError(Exception):
    """A refusal: `code` is stable, `fields` say what to change."""

    def __init__(self, answer):
        super().__init__(answer["error"])
        self.code = answer["code"]
        self.fields = answer.get("fields", [])


def send(path, body=None, key=None, tries=3):
    """Sends one request. After 429 and 503 it waits as told and sends the same again, three times."""
    headers = {"authorization": f"Bearer {API_KEY}", "content-type": "application/json"}
    if key is not None:
        # The same key again stores nothing twice, so that a repetition is safe.
        headers["idempotency-key"] = key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE_URL + path, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        if error.code in (429, 503) and tries > 0:
            time.sleep(float(error.headers.get("retry-after", 1)))
            return send(path, body, key, tries - 1)
        raise VouchError(json.load(error)) from None


SCOPE = "/guides/python"
SAID = {"session_id": "guide", "scope_path": SCOPE, "peer_key": "ada", "content": "I live in Porto."}
ACCEPTED = send("/api/v1/ingest", SAID, key=str(uuid.uuid4()))

# `wait_ms` answers as soon as the extraction has ended, or after that time.
while True:
    STATUS = send(f"/api/v1/ingest/{ACCEPTED['message_id']}?wait_ms=10000")
    if STATUS["status"] != "pending":
        break
print(STATUS["status"], [row["statement"] for row in STATUS["knowledge"]])

ASKED = {"scope_path": SCOPE, "peer_key": "ada", "question": "Where does Ada live?"}
ANSWER = send("/api/v1/ask", ASKED)
print("not known" if ANSWER["abstained"] else ANSWER["answer"], ANSWER["citations"])
