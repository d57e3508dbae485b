// Generated from scripts/docs/errors.yml by `npm run docs`. Do not edit.

import type { ErrorCode } from '../ground/errors.ts';

/** The section about each error code, in paragraphs. The first one says what the code means. */
export const EXPLANATIONS: Readonly<Record<ErrorCode, readonly string[]>> = {
  "config": [
    "An input, a file or the workflow's setup is wrong, or the platform rejected the request as invalid.",
    "What to do: Correct the inputs in the message; it lists all of them.",
    "Inputs are checked before the first request, so nothing was started or written. Each line of the message has the input, its value (never a secret) and what is allowed.",
    "A destination with other content than a link of this site has this code as well. Correct the address in `to`, or set `take-over` to `true` once.",
    "Later in a run it means that the platform answered 400, 413 or 422, or that an agent job works on another repository."
  ],
  "unauthorized": [
    "The platform or GitHub did not accept the key or token (401).",
    "What to do: Make a new key on the API keys page of the dashboard, or check that the App token has not expired.",
    "The platform's words come first, then what they may mean: a key that expired or was revoked, or an organization without the API or without static export. App tokens expire after one hour. If a key stops working while a job is followed, the job keeps running: attach to it with the new key, by the job id from the log."
  ],
  "forbidden": [
    "The key or token is valid but may not do this (403).",
    "What to do: Grant the permission in the message, and check the plan, the IP allow-list and the scope of the key.",
    "For GitHub the message names the permission and shows the step that grants it. Static export needs the platform's Enterprise plan.",
    "A full secret store, 100 secrets per repository or environment, is also `forbidden`."
  ],
  "not-found": [
    "The job, the site, the repository, the environment or the stored state does not exist, or the token cannot see it (404, 410).",
    "What to do: Check the name in the message; in refresh mode run an export first, or give `export-job-id`.",
    "GitHub answers 404 instead of 403 if a token cannot see the repository, so check the installation of the App as well.",
    "Refresh says `not-found` if there is no state next to the secret or the stored job no longer exists; rollback if that earlier export does not exist. It lists the exports that do; see roll back."
  ],
  "conflict": [
    "The platform says that the job is in another state, or that another export is running (409).",
    "What to do: Wait a minute, then run again with `export-job-id`; no second export is started.",
    "A run waits for another export, unless its id is unknown or `timeout` is `0s`. An agent job may have been archived meanwhile.",
    "For a destination of the link it means that another run wrote it at the same time, that it already has a newer export, or that it was rolled back meanwhile. Use a concurrency group; the message shows how to write this link anyway. With `publish: true` the platform published a commit from before the merge."
  ],
  "rate-limited": [
    "The platform or GitHub asks to wait (429, or 503 with `Retry-After`) for longer than this run may.",
    "What to do: Run again after the time in the message, or make fewer calls.",
    "The run waits up to 120 seconds, between polls up to `timeout`. The platform allows per hour 100 agent messages of a project, and of an organization 10 export starts by project and 10,000 searches."
  ],
  "job-failed": [
    "The platform reported that the export or agent job failed.",
    "What to do: Read the platform's error text in the summary, correct the content, and start a new run.",
    "A re-run starts a new export. In mode `agent`, it sends nothing and fails again. With `publish: true`, the update failed, or the event of the GitHub App says so, and no export was started."
  ],
  "timed-out": [
    "The remote job did not end within `timeout`.",
    "What to do: Attach to the job with `export-job-id`, raise `timeout`, or end early on purpose with `on-timeout: detach`.",
    "The job keeps running. The log has the lines to paste. A job without progress for hours is stuck: start a new run instead. With `publish: true` an update that takes too long ends the run too, also with `on-timeout: detach`: there is no export yet to attach to."
  ],
  "network": [
    "The server could not be reached, or answered with a server error (5xx) until the attempts were used up.",
    "What to do: Check `base-url`, the proxy and the certificate, and read the status page of the platform; then run again.",
    "This includes certificates that do not match. Calls that may be repeated were tried up to five times. A call that must not be repeated says \"may have started\" instead, with the way to find out. For a private certificate authority, set `NODE_EXTRA_CA_CERTS`; see networks."
  ],
  "protocol": [
    "A reply was not what the API of the platform or of GitHub documents, or a bundle link failed its checks.",
    "What to do: Check that `base-url` is the API and not a login page; otherwise report it to the platform with the message.",
    "The message has the field that is wrong, or what came instead of JSON. A redirect of an API call, a reply over 1 MiB and a truncated reply are `protocol` too. A link that is not https, or has characters that no presigned link needs, is not used."
  ],
  "integrity": [
    "Bytes are missing, changed or empty, such as a download of the wrong length or a secret whose write cannot be confirmed.",
    "What to do: Run again with `export-job-id`; if it repeats, the archive at the platform is damaged.",
    "For an archive, the destination is unchanged. For a secret it means that GitHub accepted the write but did not show it within ten seconds: check the secret's date before you rely on it. In a refresh it means that the state has an invalid signature, or does not know the link: an earlier state was put back, or the secret was edited manually."
  ],
  "unsafe-archive": [
    "The archive contains something that a documentation bundle never needs, such as a link, a device, or a path that leads outside the folder.",
    "What to do: If the message is about the name of a page of yours, rename the page. Otherwise do not unpack it with other tools; report it to the platform, with the entry from the message.",
    "Absolute paths, `..`, symbolic and hard links, names that are the same on some file system (by case, accents or compatibility forms such as `ﬁ` and `fi`), names that some system cannot write, archive bombs, encrypted and overlapping entries are rejected on every system. The destination is unchanged. A name that begins with `.wh.` is rejected only for an image."
  ],
  "checks-failed": [
    "A check that you asked for did not pass, such as a query that missed its page or a finding with `verify: strict`.",
    "What to do: Read the annotations and the summary, and correct the documentation or the expectation.",
    "- A search: each query that missed has its line of the queries file.\n- An export: it broke a rule, such as `max-page-drop`, or verification found an error. What was live is still live.\n- A rollout: pods did not become ready; the message has what the cluster says.\n- `live-url`: readers did not get the export in time; the message lists the pages."
  ],
  "io": [
    "The runner could not read or write a file, because the disk is full, the folder is read-only, or the file is in use.",
    "What to do: Free space or choose another path; the path is in the message.",
    "Before a download, 1.25 times the archive must be free, and 2.5 times where it is unpacked. An `extract-to` folder is either unchanged or complete."
  ],
  "cancelled": [
    "The run was cancelled, by a person, by the job's own time limit, or by a newer run in the same concurrency group.",
    "What to do: The line of the log after `Received SIGTERM` says what is left. If a job keeps running, attach to it with the id from that line.",
    "Temporary files are removed, and a status comment gets its final text. The remote job keeps running."
  ],
  "refused": [
    "The event or the person is not allowed to do this, such as writing a secret on a `pull_request` event.",
    "What to do: Use one of the events in the message, or let a person with the required permission give the command.",
    "Links are written on a push to the default branch, a protected branch or a tag, on schedule, manual and repository dispatch, release, a workflow run that follows one of these in the same repository, a merged pull request (`pull_request`), and a success of the GitHub App in `publisher`. Any other event could run a stranger's code. Publishing needs the same events; a preview is also made for a push to any branch, or an open pull request of the same repository. A refused command in a comment ends with exit code 0."
  ]
};
