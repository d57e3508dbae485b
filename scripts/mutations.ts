/** Changes of the rules of "Which export is live", each of which must be found by a test. */

const STATE = 'src/delivery';
const PROTOCOL = `${STATE}/protocol`;
const STORES = 'src/stores';
const OWN_STORES = ['stores/stores.servers'];
const GITLAB = ['stores/gitlab'];
const GITEA = ['stores/gitea/store.servers'];

export interface Mutation {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The tests that find it; undefined: those of `delivery`. */
  readonly tests?: readonly string[];
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'an older announced job is adopted',
    file: `${PROTOCOL}/situation.ts`,
    from: '|| !isNewer(order, job, jobOrder, jobId)) return keepingJob;',
    to: ') return keepingJob;',
  },
  {
    name: 'a stop leaves its section open',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'const ended = yield* this.#endUnchanged(ownClaim, situation);',
    to: 'const ended = reading;',
  },
  {
    name: 'no look at higher claims',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'if (higher.length > 0) {',
    to: 'if (higher.length > 99) {',
  },
  {
    name: 'a state that was put back is not noticed',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'numberOf(reading.found) < this.#entrance.highestNumber',
    to: 'numberOf(reading.found) < 0',
  },
  {
    name: 'claims of the same run pass',
    file: `${PROTOCOL}/entrance.ts`,
    from: 'if (this.#init.ownTokens.has(claim.token)) return true;',
    to: 'if (claim.run === this.#init.announcement.run) return true;',
  },
  {
    name: 'a claim whose run has sent no link says whose link is there',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'ownTokens.has(token) && !sentTokens.has(token);',
    to: 'ownTokens.has(token) && token === this.#init.token;',
  },
  {
    name: 'a link that the run has never sent counts, once another run has noted it',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'record.unanswered?.filter((one) => !this.#isUnsent(one));',
    to: 'record.unanswered;',
  },
  {
    name: '45 s become 15',
    file: `${PROTOCOL}/limits.ts`,
    from: 'CLAIM_OVER_MS = 45_000',
    to: 'CLAIM_OVER_MS = 15_000',
  },
  {
    name: '20 s become 40',
    file: `${PROTOCOL}/limits.ts`,
    from: 'FRESH_MS = 20_000',
    to: 'FRESH_MS = 40_000',
  },
  {
    name: 'the order of the first destination is kept',
    file: `${PROTOCOL}/place.ts`,
    from: 'const order = start.orderAbove(base);',
    to: 'const order = (base.order ?? 0) + 1;',
  },
  {
    name: 'destinations are entered in the order of the input',
    file: `${PROTOCOL}/all.ts`,
    from: 'kept.sort((a, b) => (a.name < b.name ? -1 : 1))',
    to: 'kept',
  },
  {
    name: 'of two equal orders, the later one wins',
    file: `${PROTOCOL}/situation.ts`,
    from: 'return order === otherOrder ? job > otherJob : order > otherOrder;',
    to: 'return order > otherOrder;',
  },
  {
    name: 'only the monotonic clock counts',
    file: `${PROTOCOL}/steps.ts`,
    from: 'return ms + Math.max(monotonicMs, wallMs, 0);',
    to: 'return ms + monotonicMs;',
  },
  {
    name: 'a link that may arrive leaves the expiry known',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'expiresAt: mayBeReplaced ? undefined : record.expiresAt,',
    to: 'expiresAt: record.expiresAt,',
  },
  {
    name: 'a late link has the date of the link before it',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'if (ms === undefined || ms === dateOf(last.found)) return announcement;',
    to: 'if (ms === undefined) return announcement;',
  },
  {
    name: 'an announcement explains a link of any date',
    file: `${PROTOCOL}/situation.ts`,
    from: 'return sinceMs >= 0 && sinceMs <=',
    to: 'return sinceMs >= Number.NEGATIVE_INFINITY || sinceMs <=',
  },
  {
    name: 'the announcements of runs that ended are forgotten',
    file: `${PROTOCOL}/situation.ts`,
    from: 'const unanswered = [...others, ...kept];',
    to: 'const unanswered = [...others];',
  },
  {
    name: 'nothing is too old to be written over',
    file: `${PROTOCOL}/steps.ts`,
    from: 'return nowMs - sentMs > FRESH_MS;',
    to: 'return nowMs < sentMs;',
  },
  {
    name: 'the age of a claim does not count',
    file: `${PROTOCOL}/entrance.ts`,
    from: 'return { ...entering, reading: { ...reading, sentMs } };',
    to: 'return { ...entering, reading: { ...reading, sentMs: Math.max(sentMs, reading.sentMs) } };',
  },
  {
    name: 'the state is not read again after the link',
    file: `${PROTOCOL}/claimed.ts`,
    from: "if (!isSameState) return 'again';",
    to: '',
  },
  {
    name: 'a link over a newer decision is left',
    file: `${PROTOCOL}/part.ts`,
    from: "if (end.kind === 'stopped' && end.overwrote !== undefined)",
    to: "if (end.kind === 'stopped' && end.overwrote === 'repaired')",
  },
  {
    name: 'a rollback replaces a job that was named since',
    file: `${PROTOCOL}/situation.ts`,
    from: 'const isNamedSince = jobId === from && jobOrder > (wish.liveOrder ?? jobOrder);',
    to: 'const isNamedSince = false;',
  },
  {
    name: 'a run decides again after its repair was cancelled',
    file: `${PROTOCOL}/part.ts`,
    from: "repaired.kind === 'failed' && repaired.error.code === 'cancelled'",
    to: "repaired.kind === 'failed' && repaired.error.code === 'config'",
  },
  {
    name: 'a cancelled run tries again',
    file: `${PROTOCOL}/part.ts`,
    from: 'yield* endOf(untilCancelled(begin()));',
    to: 'yield* endOf(begin());',
  },
  {
    name: 'a cancelled run ends the section of an export that was asked for',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'this.#hasActed = true;\n        // The caller notes',
    to: '// The caller notes',
  },
  {
    name: 'a cancelled run ends the section of a link that was sent',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'const hasActed = this.#hasActed || end.error.mayHaveActed;',
    to: 'const hasActed = false;',
  },
  {
    name: 'a cancelled run ends a section over what others have written',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'const isAsRead = numberOf(found) === this.#entrance.highestNumber;',
    to: 'const isAsRead = true;',
  },
  {
    name: 'a cancelled run removes its claim',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'const ownClaim = this.#entrance.under(made, yield* read());',
    to: "yield { kind: 'remove-claims', numbers: [made.number] };\n    const ownClaim = this.#entrance.under(made, yield* read());",
  },
  {
    name: 'a claim that exists is taken for its own',
    file: `${PROTOCOL}/entrance.ts`,
    from: 'const isOwn = holder?.token === this.#init.token;',
    to: 'const isOwn = holder !== undefined;',
  },
  {
    name: 'the state is not written with the number of the claim',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'number,\n        writer',
    to: 'number: number - 1,\n        writer',
  },
  {
    name: 'a write with versions whose reply was lost is taken for done',
    file: `${PROTOCOL}/unclaimed.ts`,
    from: 'return isOwn ? now : undefined;',
    to: 'return isOwn ? now : seen;',
  },
  {
    name: 'a refresh may replace a newer export',
    file: `${PROTOCOL}/situation.ts`,
    from: "isNewer(jobOrder, jobId, order, job) ? 'older' : undefined;",
    to: "isNewer(jobOrder, jobId, order, job) && kind !== 'refresh' ? 'older' : undefined;",
  },
  {
    name: 'a claim has the age of an earlier one of its run',
    file: `${STATE}/requests.ts`,
    from: 'token === UNSIGNED.token ? token : `${number} ${token}`',
    to: 'token',
  },
  {
    name: 'a claim is kept when the run is cancelled',
    file: `${PROTOCOL}/claimed.ts`,
    from: "if (end.error.code === 'cancelled' && !hasActed)",
    to: "if (end.error.code === 'cancelled' && hasActed)",
  },
  {
    name: 'what does not show yet is not waited for',
    file: `${PROTOCOL}/limits.ts`,
    from: 'MAX_PAUSES = 3',
    to: 'MAX_PAUSES = 0',
  },
  {
    name: 'a rollback goes to the same content',
    file: `${STATE}/history.ts`,
    from: 'hasSameContent(one, live) !== true',
    to: 'one !== undefined',
  },
  {
    name: 'the client repeats the write of a secret of GitHub',
    file: `${STORES}/github/secret.ts`,
    from: '      fields,\n      ONCE,',
    to: '      fields,',
    tests: OWN_STORES,
  },
  {
    name: 'the client repeats the removal of a claim in GitHub',
    file: `${STORES}/github/settings.ts`,
    from: '{ ...ONCE, ...MAY_BE_ABSENT }',
    to: 'MAY_BE_ABSENT',
    tests: OWN_STORES,
  },
  {
    name: 'the client repeats the write of a variable of GitLab',
    file: `${STORES}/gitlab/store.ts`,
    from: "method: 'PUT', path: [...this.#path, key], body, signal, ...ONCE",
    to: "method: 'PUT', path: [...this.#path, key], body, signal",
    tests: GITLAB,
  },
  {
    name: 'the client repeats the removal of a claim in GitLab',
    file: `${STORES}/gitlab/store.ts`,
    from: "method: 'DELETE', path, query, signal, ...ONCE",
    to: "method: 'DELETE', path, query, signal",
    tests: GITLAB,
  },
  {
    name: 'the client repeats the removal of a claim in Gitea',
    file: `${STORES}/gitea/store.ts`,
    from: "method: 'DELETE', path, signal, ...ONCE",
    to: "method: 'DELETE', path, signal",
    tests: GITEA,
  },
  {
    name: 'the client repeats the removal of a claim in AWS',
    file: `${STORES}/aws/service.ts`,
    from: '/^(Get|Describe)/',
    to: '/^(Get|Describe|Delete)/',
    tests: ['stores/aws/store.servers'],
  },
  {
    name: 'later readings of Gitea are taken from the first list of secrets',
    file: `${STORES}/gitea/store.ts`,
    from: "await this.#list('secrets', secretEntry, signal)",
    to: "await (this.listed ??= this.#list('secrets', secretEntry, signal))",
    tests: GITEA,
  },
  {
    name: 'later readings of GitLab are taken from the first list of variables',
    file: `${STORES}/gitlab/store.ts`,
    from: 'names: (signal) => this.#listKeys(signal),',
    to: 'names: (signal) => (this.listed ??= this.#listKeys(signal)),',
    tests: GITLAB,
  },
  {
    name: 'a date confirms a write however old it is',
    file: `${STORES}/github/secret.ts`,
    from: 'shownMs !== formerMs && shownMs >= earliestMs;',
    to: 'shownMs !== formerMs;',
    tests: OWN_STORES,
  },
  {
    name: 'a file gets the state before the link',
    file: `${STORES}/file/store.ts`,
    from: 'if (change.link !== undefined) await this.#replace(this.#linkPath, change.link);',
    to: 'if (change.state !== undefined) await this.#replace(this.#statePath, change.state);\n    if (change.link !== undefined) await this.#replace(this.#linkPath, change.link);',
    tests: OWN_STORES,
  },
];
