"""Tests the small GitLab server with python-gitlab, a third-party client: it must work like GitLab.

    python gitlab_client.py URL TOKEN PROJECT GROUP
"""

import sys

import gitlab

url, token, project_path, group_path = sys.argv[1:]
api = gitlab.Gitlab(url, private_token=token, retry_transient_errors=False)


def refused(status, call):
    """The text of the failure that the call must have."""
    try:
        call()
    except gitlab.exceptions.GitlabError as error:
        assert error.response_code == status, (error.response_code, error.error_message)
        return str(error.error_message)
    raise AssertionError(f"it was not refused with {status}")


def check(holder):
    variables = holder.variables
    link = "https://bundles.example.com/a?X-Amz-Signature=0123456789&b=$c"
    made = variables.create({"key": "LINK", "value": link, "masked": True, "raw": True, "environment_scope": "prod"})
    assert (made.masked, made.raw, made.protected, made.hidden) == (True, True, False, False), made
    variables.create({"key": "LINK", "value": "other", "environment_scope": "test"})
    prod = {"environment_scope": "prod"}
    assert variables.get("LINK", filter=prod).value == link
    assert "filter[environment_scope]" in refused(409, lambda: variables.get("LINK"))
    assert "already been taken" in refused(400, lambda: variables.create(
        {"key": "LINK", "value": "again", "environment_scope": "prod"}))
    assert "invalid" in refused(400, lambda: variables.create({"key": "EXPANDED", "value": link, "masked": True}))
    updated = variables.update("LINK", {"value": link + "2", "filter": prod})
    assert updated["value"] == link + "2" and updated["masked"] is True
    hidden = variables.create({"key": "HIDDEN", "value": link, "raw": True, "masked_and_hidden": True})
    assert (hidden.value, hidden.masked, hidden.hidden) == (None, True, True), hidden
    refused(400, lambda: variables.update("HIDDEN", {"masked": False}))
    assert sorted(one.key for one in variables.list(get_all=True)) == ["HIDDEN", "LINK", "LINK"]
    variables.delete("LINK", filter=prod)
    refused(404, lambda: variables.get("LINK", filter=prod))
    assert variables.get("LINK").value == "other"


check(api.projects.get(project_path))
check(api.groups.get(group_path))
refused(404, lambda: api.projects.get("acme/none"))
refused(401, lambda: gitlab.Gitlab(url, private_token="glpat-unknown").projects.get(project_path))
print("python-gitlab", gitlab.__version__)
