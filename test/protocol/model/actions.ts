import type { Request } from '../../../src/protocol/effects.ts';
import type { Answer, Event, Job, Prepared, RefusedFor } from '../../../src/protocol/events.ts';
import { Broken, earlier, feed, permitFor, type Run } from './interpret.ts';
import { compare, end, judge, keyOfNothing, serviceStateOf, take, verdictOf } from './service.ts';
import {
  type Bounds,
  type Check,
  contentOf,
  type Fault,
  isOf,
  isOurs,
  type Kept,
  keyOf,
  type Line,
  none,
  parked,
  readKey,
  ready,
  type Slot,
  type Task,
  unchecked,
  type World,
} from './world.ts';

/* Everything that can happen next, each with a name a person can read in a trace. */

export interface Action {
  label: string;
  /** Something goes wrong, or somebody does what nobody need: not needed for any end. */
  isFault: boolean;
  run(): World;
}

const jobs: readonly Job[] = ['submit', 'follow-up', 'reprocess'];
/** Jobs of one document that run at the same time. */
const atOnce = 2;

export function actionsOf(world: World, bounds: Bounds): Action[] {
  const found: Action[] = [];
  const can: Can = (label, run) => void found.push({ label, isFault: false, run });
  const may: May = (fault, label, run) => {
    if (world.left.faults > 0 && bounds.may.includes(fault))
      found.push({ label, isFault: true, run: () => run(spend(world, 'faults')) });
  };
  const spends: Spends = (what, label, run) => {
    if (world.left[what] > 0) found.push({ label, isFault: true, run: () => run(spend(world, what)) });
  };
  world.lines.forEach((line, at) => {
    const name = `${line.kind} ${line.number}`;
    if (line.tasks.length < atOnce) {
      for (const job of jobs)
        if (isDue(line.jobs[job], world)) can(`${name}: ${job} is due`, () => runJob(world, bounds, at, job));
      line.notices.forEach((notice, n) => {
        if (isSame(line.notices, n)) return;
        can(`${name}: settle ${notice.key} ${notice.said.state}`, () => settle(world, bounds, at, n));
      });
    }
    line.tasks.forEach((task, n) => {
      answersTo({ world, bounds, at, n, line, task, name, can, may });
    });
    ofPersons({ world, bounds, at, line, name, can, may, spends });
  });
  environment(world, bounds, can, may, spends);
  processes(world, bounds, can, spends);
  return found;
}

export type Can = (label: string, run: () => World) => undefined;
export type May = (fault: Fault, label: string, run: (world: World) => World) => undefined;
export type Spends = (what: keyof World['left'], label: string, run: (world: World) => World) => undefined;

const spend = (world: World, what: keyof World['left']): World => ({
  ...world,
  left: { ...world.left, [what]: world.left[what] - 1 },
});

const isDue = ({ due, isHeld }: Slot, { at }: World): boolean =>
  due !== none && due !== parked && due <= at && !isHeld;

/** One like it came before: either order is the same. */
const isSame = (all: readonly { key: string; said: { state: string } }[], n: number): boolean =>
  all.findIndex((one) => one.key === all[n]?.key && one.said.state === all[n]?.said.state) < n;

const patch = (world: World, at: number, change: Partial<Line>): World => ({
  ...world,
  lines: world.lines.map((one, n) => (n === at ? { ...one, ...change } : one)),
});

function runJob(world: World, bounds: Bounds, at: number, job: Job): World {
  const line = world.lines[at];
  if (!line) throw new Broken('there is no such document');
  const held = patch(world, at, { jobs: { ...line.jobs, [job]: { ...line.jobs[job], isHeld: true } } });
  return feed(held, bounds, at, due(world, bounds, line, job), { job, notice: null, isLate: false });
}

function due(world: World, bounds: Bounds, line: Line, job: Job): Event {
  if (job === 'follow-up') return { kind: 'follow-up-due', foreseen: [] };
  if (job === 'reprocess') return { kind: 'reprocess-due' };
  const { kind, number, state } = line;
  const isForeseen = bounds.keys === 'foreseen' || bounds.keys === 'varied';
  const foreseenKey = isForeseen ? keyOf(kind, number, world.day) : null;
  const sending = { as: 'backlog', isPaused: world.isPaused, foreseenKey } as const;
  if (state.document.state !== 'ready') return { kind: 'resend-due', sending };
  const permit = permitFor(world, bounds, line);
  return { kind: 'send-due', sending, issuer: world.issuer, permit, prepared: preparedFor(world, line) };
}

function preparedFor(world: World, line: Line): Prepared {
  const content = contentOf(world, line);
  if (world.mapped === 'send') return { kind: 'send', total: content, buyerId: content };
  if (world.mapped === 'nothing') return { kind: 'nothing' };
  if (world.mapped === 'refunded') return { kind: 'held', to: 'held', code: 'fully-refunded' };
  return { kind: 'held', to: world.mapped, code: 'unmapped' };
}

function settle(world: World, bounds: Bounds, at: number, n: number): World {
  const line = world.lines[at];
  const notice = line?.notices[n];
  if (!line || !notice) throw new Broken('there is no such notice');
  const taken = patch(world, at, { notices: line.notices.filter((_one, m) => m !== n) });
  const tries = Math.min(notice.tries, bounds.timings.notifiedTries);
  const event: Event = {
    ...{ kind: 'notified', key: readKey(notice.key, line), said: notice.said, isOfIssuer: true, tries },
  };
  return feed(taken, bounds, at, event, { job: 'settle', notice: { ...notice, tries }, isLate: false });
}

interface Waiting {
  world: World;
  bounds: Bounds;
  at: number;
  n: number;
  line: Line;
  task: Task;
  name: string;
  can: Can;
  may: May;
}

/** What may come back to a process that waits. */
function answersTo(waiting: Waiting): undefined {
  const { world, bounds, at, n, line, task, name, can, may } = waiting;
  const { question } = task;
  const over = (now: World): World =>
    patch(now, at, { tasks: (now.lines[at]?.tasks ?? []).filter((_one, m) => m !== n) });
  const run: Run = { job: task.job, notice: task.notice, isLate: task.isLate };
  const report = (event: Event) => (now: World) => feed(over(now), bounds, at, event, run);
  const says = (label: string, event: Event) => can(`${name}: ${label}`, () => report(event)(world));
  const fails = (fault: Fault, label: string, event: Event) => may(fault, `${name}: ${label}`, report(event));
  if (question.kind === 'post') return ofPost(waiting, question.n, says, fails, report);
  if (question.kind === 'ask') {
    const { accessKey, purpose } = question;
    const key = readKey(accessKey, line);
    const kept = world.kept.find((one) => one.key === accessKey);
    const isUnderOtherKey = kept?.isHidden === true;
    const notFound: Event = { kind: 'not-found', key, isUnderOtherKey, purpose };
    if (kept && !kept.isHidden) {
      says(`${accessKey} is ${kept.status}`, {
        kind: 'found',
        key,
        serviceState: serviceStateOf(kept),
        purpose,
      });
      fails('deny', `${accessKey} is denied`, notFound);
    } else says(`${accessKey} is not known`, notFound);
    fails('unauthorized', 'the question is refused', { kind: 'silent', why: 'unauthorized', purpose });
    fails('older-key', 'an older key is refused', { kind: 'silent', why: 'older-key-unauthorized', purpose });
    return fails('silent', 'no answer', { kind: 'silent', why: 'no-answer', purpose });
  }
  if (question.kind === 'compare') return ofXml(line, world, question, says, fails);
  if (question.kind === 'ask-balance') {
    const { n: of, errors } = question;
    says('there are credits', { kind: 'balance', isEmpty: false, n: of, errors });
    return fails('credits', 'there are no credits', { kind: 'balance', isEmpty: true, n: of, errors });
  }
  if (question.kind === 'reprocess') return ofReprocess(waiting, question, over, run);
  if (question.kind === 'check-series') return ofSeries(waiting, over, run);
  if (question.kind === 'search') {
    const verdicts = question.keys.map((accessKey) => ({
      accessKey,
      verdict: verdictOf(world, line, accessKey),
    }));
    const { confirmed, version } = question;
    says('searched', { kind: 'searched', confirmed, version, verdicts });
  }
}

/** What the service says of the numbers that the ledger does not know. */
function ofSeries(
  { world, bounds, at, name, can, may }: Waiting,
  over: (now: World) => World,
  run: Run,
): undefined {
  const isLost = world.kept.some((one) => one.isLost && !one.isHidden);
  const goesOn = (now: World, proof: Check['proof'], isFound: boolean): World => {
    const then = over(now);
    const check = { ...then.check, isAsked: true, proof };
    const asked = { ...then, check, isOlder: then.isOlder || isFound };
    const line = asked.lines[at];
    if (!line) throw new Broken('there is no such document');
    return feed(asked, bounds, at, due(asked, bounds, line, 'submit'), run);
  };
  if (bounds.keys === 'foreseen' || bounds.keys === 'varied') {
    // The keys of a service that varies them are not those that are asked about.
    const isFound = isLost && bounds.keys === 'foreseen';
    can(`${name}: the next numbers are asked about`, () =>
      goesOn(world, isFound ? 'authorized' : 'created', isFound),
    );
    may('silent', `${name}: no answer about the next numbers`, (now) => goesOn(now, 'authorized', false));
    return;
  }
  can(`${name}: the last webhooks name nothing new`, () => goesOn(world, 'authorized', false));
  if (isLost) can(`${name}: the last webhooks name what was lost`, () => goesOn(world, 'authorized', true));
}

type Says = (label: string, event: Event) => undefined;
type Fails = (fault: Fault, label: string, event: Event) => undefined;

function ofXml(
  line: Line,
  world: World,
  { accessKey, purpose }: Request & { kind: 'compare' },
  says: Says,
  fails: Fails,
): undefined {
  const key = readKey(accessKey, line);
  const stored = compare(world, line, accessKey);
  says(`the XML of ${accessKey} is ${stored.kind}`, { kind: 'compared', key, stored, purpose });
  if (stored.kind !== 'unreadable')
    fails('unreadable', 'the XML is unreadable', {
      kind: 'compared',
      key,
      stored: { kind: 'unreadable' },
      purpose,
    });
}

function ofReprocess(
  { world, bounds, at, name, can, may }: Waiting,
  { n, accessKey }: Request & { kind: 'reprocess' },
  over: (now: World) => World,
  run: Run,
): undefined {
  const kept = world.kept.find((one) => one.key === accessKey);
  const report = (now: World, answer: Extract<Event, { kind: 'reprocess-answered' }>['answer']) =>
    feed(over(now), bounds, at, { kind: 'reprocess-answered', n, answer }, run);
  const isEnded = kept && kept.status !== 'processing' && kept.status !== 'authorized';
  can(`${name}: ${accessKey} is reprocessed`, () => {
    if (!kept) return report(world, { kind: 'refused', errors: [] });
    if (!isEnded) return report(world, { kind: 'not-ended' });
    const again = world.kept.map((one) => (one === kept ? { ...one, status: 'processing' as const } : one));
    return report({ ...world, kept: again }, { kind: 'reprocessing' });
  });
  const fails = (fault: Fault, label: string, answer: Parameters<typeof report>[1]) =>
    may(fault, `${name}: ${accessKey} is not reprocessed: ${label}`, (now) => report(now, answer));
  fails('silent', 'no answer', { kind: 'unknown' });
  fails('credits', 'no credits', { kind: 'no-credits' });
  fails('throttle', '429', { kind: 'throttled', retryAfter: 1 });
  fails('unauthorized', '401', { kind: 'unauthorized', isOlderKey: false });
  fails('older-key', '401 of an older key', { kind: 'unauthorized', isOlderKey: true });
  may('reprocess-refused', `${name}: ${accessKey} may not be reprocessed`, (now) =>
    report({ ...now, wrongs: now.wrongs + 1 }, { kind: 'refused', errors: ['…'] }),
  );
}

/** The POST of an attempt: on its way, then taken, and its answer on its way back. */
function ofPost(
  { world, bounds, at, n, line, task, name, can, may }: Waiting,
  of: number,
  says: Says,
  fails: Fails,
  report: (event: Event) => (now: World) => World,
): undefined {
  const attempt = line.state.attempts[of - 1];
  if (!attempt) throw new Broken('a POST has no attempt');
  const body = { day: Number(attempt.issueDate.slice(1)), content: attempt.buyerId };
  const answered = (answer: Answer): Event => ({ kind: 'answered', n: of, answer });
  const unknown = (key: string | null): Event =>
    answered({
      ...{
        kind: 'unknown',
        key: key === null ? null : readKey(key, line),
        errors: key === null ? [] : ['…'],
      },
      failures: world.failures + 1,
    });
  if (task.answer) {
    const { answer } = task;
    says(`answer ${answer.kind}`, answered(answer));
    fails('lose', 'the answer is lost', unknown(null));
    const [stale] = line.state.attempts.flatMap(({ accessKey }) => accessKey ?? []);
    const before = world.kept.find((one) => isOurs(one) && one.day < body.day)?.key ?? stale;
    if (before && answer.kind === 'created' && before !== answer.key.accessKey)
      fails('stale', 'the answer of an earlier sending', answered({ ...answer, key: readKey(before, line) }));
    const refusedKey = line.state.attempts.find(({ outcome }) => outcome === 'error')?.accessKey;
    if (refusedKey)
      fails('stale', '409 with a refused key', answered({ ...keyless, key: readKey(refusedKey, line) }));
    fails('mix', 'the answer of another document', answered({ ...created, key: { ...ofAnother } }));
    if (answer.kind !== 'created') return;
    fails('status-500', '500, stored', unknown(answer.key.accessKey));
    fails('keyless', '409 without a key, stored', answered(keyless));
    fails('twice', '409 to its second copy', answered({ ...keyless, key: answer.key }));
    return;
  }
  const takes = (now: World): World => {
    const { world: then, answer } = take(now, bounds, line, body);
    const tasks = (then.lines[at]?.tasks ?? []).map((one, m) => (m === n ? { ...one, answer } : one));
    return patch({ ...then, failures: 0 }, at, { tasks });
  };
  can(`${name}: the POST arrives`, () => takes(world));
  may('altered', `${name}: the POST arrives, and is altered`, (now) => {
    const then = takes({ ...now, wrongs: now.wrongs + 1 });
    const kept = then.kept.map((one, m) => (m >= now.kept.length ? { ...one, content: 'altered' } : one));
    return { ...then, kept };
  });
  fails('cut', 'the POST never arrives', unknown(null));
  fails('keyless', '409 without a key, not stored', answered(keyless));
  fails('status-500', '500, not stored', unknown(keyOfNothing(world, bounds, line, body.day)));
  may('refuse', `${name}: refused`, (now) =>
    report(answered({ kind: 'refused', names: { kind: 'words' }, errors: [] }))({
      ...now,
      wrongs: now.wrongs + 1,
    }),
  );
  fails(
    'credits',
    'refused: no credits',
    answered({ kind: 'refused', names: { kind: 'credits' }, errors: [] }),
  );
  fails('unauthorized', '401', answered({ kind: 'unauthorized', isOlderKey: false }));
  fails('older-key', '401 of an older key', answered({ kind: 'unauthorized', isOlderKey: true }));
  const refused = (names: RefusedFor) => answered({ kind: 'refused', names, errors: ['…'] });
  fails('provider-data', 'refused: provider data', refused({ kind: 'provider-data' }));
  fails('date', 'refused: its clock differs', refused({ kind: 'date', clocks: 'differ', midnight: null }));
  fails('date', 'refused: midnight', refused({ kind: 'date', clocks: 'agree', midnight: 1 }));
  fails('date', 'refused: the date', refused({ kind: 'date', clocks: 'agree', midnight: null }));
  may('unreachable', `${name}: nobody is there`, (now) => {
    const failures = now.failures + 1;
    return report(answered({ kind: 'unreachable', failures }))({ ...now, failures });
  });
  fails('throttle', '429', answered({ kind: 'throttled', retryAfter: 1 }));
}

const ofAnother = { accessKey: 'z1d0', isOfThis: false, issueDate: 'd0' };
const created = { kind: 'created', key: ofAnother, serviceId: null } as const;
const keyless = { kind: 'duplicate', key: null, errors: [] } as const;

interface Persons {
  world: World;
  bounds: Bounds;
  at: number;
  line: Line;
  name: string;
  can: Can;
  may: May;
  spends: Spends;
}

/** A person who looks at the service's panel and the authority's portal, and tells the truth; once, by mistake, not. */
function ofPersons({ world, bounds, at, line, name, can, may, spends }: Persons): undefined {
  const { state } = line.state.document;
  if (line.tasks.length >= atOnce) return;
  const run: Run = { job: 'person', notice: null, isLate: false };
  const says = (event: Event) => (now: World) => feed(now, bounds, at, event, run);
  const isOfNumber = (one: Kept) => one.kind === line.kind && one.number === line.number;
  for (const { key } of world.kept.filter((one) => isOfNumber(one) && !isOurs(one) && isLive(one)))
    may(
      'wrong-key',
      `${name}: a person gives ${key}`,
      says({ kind: 'key-given', key: readKey(key, line), confirmed: false }),
    );
  if (bounds.isBusy) {
    spends(
      'persons',
      `${name}: a person gives the key of another`,
      says({ kind: 'key-given', key: ofAnother, confirmed: false }),
    );
    for (const kept of world.kept.filter(
      (one) => isOf(line, one) && isOurs(one) && one.status === 'authorized',
    ))
      spends(
        'persons',
        `${name}: a person confirms ${kept.key}`,
        says({ kind: 'key-given', key: readKey(kept.key, line), confirmed: true }),
      );
    spends('persons', `${name}: a person retries in vain`, says({ kind: 'retry-asked', newNumber: false }));
    spends('persons', `${name}: a person reprocesses in vain`, says({ kind: 'reprocess-asked' }));
    if (state !== 'manual' && state !== 'rejected')
      spends(
        'persons',
        `${name}: a person wants a new number`,
        says({ kind: 'retry-asked', newNumber: true }),
      );
  }
  if (state !== 'manual' && state !== 'rejected') return;
  const own = world.kept.filter((one) => isOf(line, one) && isOurs(one) && isLive(one));
  if (own.some(({ key }) => line.state.attempts.some(({ accessKey }) => accessKey === key)))
    may(
      'wrong-word',
      `${name}: a person answers for a new number, wrongly`,
      says({ kind: 'retry-asked', newNumber: true }),
    );
  for (const { key, content } of own) {
    const given = { kind: 'key-given', key: readKey(key, line) } as const;
    can(`${name}: a person gives ${key}`, () => says({ ...given, confirmed: false })(world));
    if (content === 'altered')
      can(`${name}: a person compares and confirms ${key}`, () => says({ ...given, confirmed: true })(world));
  }
  spends('persons', `${name}: a person retries`, says({ kind: 'retry-asked', newNumber: false }));
  if (state === 'rejected')
    spends('persons', `${name}: a person reprocesses`, says({ kind: 'reprocess-asked' }));
  const isOnItsWay = world.wire !== null || line.tasks.some(({ question }) => question.kind === 'post');
  if (own.length === 0 && !isOnItsWay)
    spends(
      'persons',
      `${name}: a person answers for a new number`,
      says({ kind: 'retry-asked', newNumber: true }),
    );
}

const isLive = ({ status }: Kept) =>
  status === 'authorized' || status === 'processing' || status === 'in-process';

/** An error of the body is for a person. */
const endWith = (
  world: World,
  kept: Kept,
  cause: Exclude<Kept['status'], 'processing' | 'authorized'>,
): World => ({
  ...end(world, kept, cause),
  wrongs: world.wrongs + (cause === 'document' ? 1 : 0),
});

function environment(world: World, bounds: Bounds, can: Can, may: May, spends: Spends): undefined {
  world.kept.forEach((kept) => {
    // 70: the authority is still at it.
    if (kept.status === 'processing' || kept.status === 'in-process') {
      const status = judge(world, kept);
      can(`the authority: ${kept.key} ${status}`, () => end(world, kept, status));
      if (isOurs(kept))
        may('forget', `the service loses ${kept.key}`, (now) => ({
          ...now,
          kept: now.kept.filter((one) => one !== kept),
          wrongs: now.wrongs + 1,
        }));
      for (const fault of bounds.may)
        if (fault.startsWith('error-')) {
          const cause = fault.slice('error-'.length) as Exclude<Kept['status'], 'processing' | 'authorized'>;
          may(fault, `the authority: ${kept.key} ${cause}`, (now) => endWith(now, kept, cause));
        }
    } else if (kept.status !== 'authorized')
      may('resolved-elsewhere', `somebody reprocesses ${kept.key}`, (now) => ({
        ...now,
        kept: now.kept.map((one) => (one === kept ? { ...one, status: 'processing' as const } : one)),
      }));
  });
  world.webhooks.forEach((webhook, n) => {
    if (isSame(world.webhooks, n)) return;
    const { key, said } = webhook;
    const rest = world.webhooks.filter((_one, m) => m !== n);
    const name = `the webhook ${key} ${said.state}`;
    can(`${name} comes`, () => deliver({ ...world, webhooks: rest }, webhook));
    may('lose-webhook', `${name} is lost`, (now) => ({ ...now, webhooks: rest }));
    may('double-webhook', `${name} comes twice`, (now) => deliver(now, webhook));
  });
  const [first] = world.lines;
  if (first && world.kept.every(isOurs)) {
    const key = keyOf(
      'factura',
      1,
      world.day,
      bounds.keys === 'random' || bounds.keys === 'varied' ? 'x' : '',
    );
    const conflicting = {
      key,
      kind: 'factura',
      sale: 'this',
      number: 1,
      day: world.day,
      content: 'not-ours',
      status: 'processing',
    } as const;
    if (!world.kept.some((one) => one.key === key))
      may('not-ours', 'somebody else uses the number', (now) => ({
        ...now,
        kept: [...now.kept, conflicting],
        wrongs: now.wrongs + 1,
      }));
  }
  if (world.wire) {
    const { wire } = world;
    const rest = { ...world, wire: null };
    const line = world.lines.find((one) => one.kind === wire.kind && one.number === wire.number);
    if (line) can('the late POST arrives', () => take(rest, bounds, line, wire).world);
    can('the late POST is gone', () => rest);
  }
  spends('midnights', 'midnight', (now) => ({ ...now, day: now.day + 1 }));
  spends('edits', 'the order is edited', (now) => ({ ...now, edited: 1 }));
  spends('refunds', 'a refund', (now) => ({ ...now, isRefunded: true, isWoken: true }));
  spends('cancels', 'the order is refunded in full', (now) => ({ ...now, isCancelled: true, isWoken: true }));
  may('rotate', 'the API key is replaced', (now) => ({
    ...now,
    kept: now.kept.map((one) => ({ ...one, isHidden: true as const })),
  }));
  if (world.kept.some(({ isHidden }) => isHidden))
    can('the former API key is added', () => ({
      ...world,
      kept: world.kept.map(({ isHidden: _hidden, ...one }) => one),
    }));
  if (!world.isOlder) may('older', 'the ledger proves older', (now) => ({ ...now, isOlder: true }));
  const isSearched = world.isOlder || (world.isRecovering && world.kept.some(({ isLost }) => isLost));
  if (isSearched && givenUp(world).every(isFree))
    can('all that was lost is known', () => recover(world, bounds));
  for (const issuer of ['other', 'trial'] as const)
    may(issuer === 'other' ? 'other-issuer' : 'trial', `the store issues as ${issuer}`, (now) => ({
      ...now,
      issuer,
    }));
  if (world.issuer !== 'same')
    can('the store issues as before', () => ({ ...world, issuer: 'same', isWoken: true }));
  for (const mapped of ['nothing', 'held', 'refunded', 'manual'] as const)
    may('unmapped', `the order is mapped: ${mapped}`, (now) => ({ ...now, mapped, wrongs: now.wrongs + 1 }));
  if (world.mapped !== 'send')
    can('the order is as before', () => ({ ...world, mapped: 'send', isWoken: true }));
  if (world.isPaused)
    can('the account is well again', () => resume({ ...world, isPaused: false, failures: 0 }));
  // Read again, the order is mapped to something, or is held.
  const mapped = world.mapped === 'nothing' ? 'send' : world.mapped;
  if (world.isWoken) can('the order is planned', () => plan({ ...world, mapped, isWoken: false }));
  if (world.stopped.factura > 0 && !world.kept.some(({ isLost }) => isLost))
    spends('persons', 'a person names a free number', (now) => ({
      ...now,
      stopped: { ...now.stopped, factura: 0 },
      isWoken: true,
      isCorrected: true,
    }));
}

/** Lines whose number is that of a lost document, or whose sale has one. */
const givenUp = ({ lines, kept }: World): Line[] =>
  lines.filter(
    (line) =>
      line.state.document.state !== 'cancelled' &&
      kept.some(
        (one) =>
          one.isLost && one.kind === line.kind && (one.number === line.number || one.sale === line.sale),
      ),
  );

/** Nothing of it is on its way. */
const isFree = ({ state: { document, attempts } }: Line): boolean =>
  document.state === 'held' ||
  document.state === 'rejected' ||
  document.state === 'manual' ||
  (document.state === 'ready' && attempts.length === 0);

/** Every lost document is bound to its order; what stood in its place is cancelled, and the series goes on behind it. */
function recover(world: World, bounds: Bounds): World {
  const cancelled = givenUp(world).reduce(
    (now, line) =>
      replan(
        now,
        now.lines.findIndex((one) => one.number === line.number && one.kind === line.kind),
        'cancelled',
        'ledger-older',
      ),
    world,
  );
  const kept = cancelled.kept.map(({ isLost: _known, ...one }) => one);
  const check = world.kept.some(({ isLost }) => isLost) ? unchecked(bounds, world.at) : world.check;
  const stopped = world.isRecovering ? { ...world.stopped, factura: 0 } : world.stopped;
  return { ...cancelled, kept, check, stopped, isOlder: false, isRecovering: false, isWoken: true };
}

function deliver(world: World, { key, said }: World['webhooks'][number]): World {
  const at = world.lines.findIndex((line) => readKey(key, line).isOfThis);
  const line = world.lines[at];
  if (!line) return world;
  return patch(world, at, { notices: [...line.notices, { key, said, tries: 0 }] });
}

const resume = (world: World): World => ({
  ...world,
  lines: world.lines.map((line) => ({
    ...line,
    jobs: Object.fromEntries(
      jobs.map((job) => [
        job,
        line.jobs[job].due === parked ? { ...line.jobs[job], due: world.at } : line.jobs[job],
      ]),
    ) as unknown as Line['jobs'],
  })),
});

const ofPlan = new Set(['other-issuer', 'unmapped', 'fully-refunded']);

/** The planner: a new factura for one that was dropped, the nota de crédito of a refund that its factura does not hold. */
function plan(world: World): World {
  const { lines, kept, stopped, isRefunded, isCancelled, isOlder, at } = world;
  for (const [n, line] of lines.entries()) {
    const { state, code } = line.state.document;
    const isStill = state === 'ready' || state === 'rejected' || state === 'held';
    if (line.kind === 'factura' && isCancelled && isStill)
      return replan(world, n, 'cancelled', 'fully-refunded');
    const isReady = state === 'ready' && line.jobs.submit.due === none && !line.jobs.submit.isHeld;
    const isHeld = (state === 'held' || state === 'manual') && code !== null && ofPlan.has(code);
    if (isReady || (isHeld && world.mapped === 'send' && world.issuer === 'same'))
      return replan(world, n, 'ready', null);
    if (state === 'held' && code === 'series-stopped' && !isOlder && stopped[line.kind] === 0)
      return replan(world, n, 'ready', null);
  }
  if (isCancelled) return world;
  const facturas = lines.filter(({ kind }) => kind === 'factura');
  for (const sale of ['this', 'other', 'earlier'] as const) {
    const ofSale = facturas.filter((one) => one.sale === sale);
    const isInvoiced = kept.some((one) => one.sale === sale && !ofSale.some((line) => isOf(line, one)));
    if (ofSale.length !== 1 || ofSale[0]?.state.document.state !== 'cancelled' || isInvoiced) continue;
    if (stopped.factura === 0 && !isOlder)
      return { ...world, lines: [...lines, ready('factura', facturas.length + 1, at, sale)] };
  }
  const done = facturas.find(({ state }) => state.document.state === 'authorized')?.state.document;
  const isCredited = done?.total?.endsWith('less refund') || lines.some(({ kind }) => kind === 'nota');
  if (!done || !isRefunded || isCredited || stopped.nota > 0) return world;
  return { ...world, lines: [...lines, ready('nota', 1, at)] };
}

/** What has not left, or cannot go on without a person, follows the planner. */
function replan(world: World, at: number, state: 'cancelled' | 'ready', code: string | null): World {
  const line = world.lines[at];
  if (!line) throw new Broken('there is no such document');
  const document = { ...line.state.document, state, code, version: line.state.document.version + 1 };
  const submit = state === 'ready' ? { due: world.at, isHeld: false, again: none } : line.jobs.submit;
  const jobs = { ...line.jobs, submit };
  return patch(world, at, { state: { ...line.state, document }, jobs, isShown: true });
}

const isSettling = ({ notices, tasks }: Line) =>
  notices.length > 0 || tasks.some(({ job }) => job === 'settle');

/** Time, and processes that end in the middle. */
function processes(world: World, bounds: Bounds, can: Can, spends: Spends): undefined {
  const { isPrompt } = bounds;
  let soonest = Number.POSITIVE_INFINITY;
  for (const { jobs: slots } of world.lines)
    for (const job of jobs) {
      const { due, isHeld } = slots[job];
      if (!isHeld && due >= 0 && due < soonest) soonest = due;
    }
  const isNews = world.webhooks.length > 0 || world.kept.some(({ status }) => status === 'processing');
  const isAsking = world.lines.some(({ tasks }) => tasks.length > 0);
  const isAwaited = isPrompt && (isNews || isAsking || world.lines.some(isSettling));
  if (Number.isFinite(soonest) && soonest > world.at && !isAwaited)
    can('time passes', () => ({ ...world, at: soonest, questions: 0 }));
  if (world.lines.every(({ tasks }) => tasks.length === 0)) return;
  spends('crashes', 'the process dies', (now) => die(now, bounds, null));
  for (const line of world.lines)
    for (const { question, answer } of line.tasks)
      if (question.kind === 'post' && answer === null && world.wire === null) {
        const { issueDate = '', buyerId: content = '' } = line.state.attempts[question.n - 1] ?? {};
        const { kind, number, sale } = line;
        const wire = {
          key: '',
          kind,
          sale,
          number,
          day: Number(issueDate.slice(1)),
          content,
          status: 'processing',
        } as const;
        spends('crashes', `the process dies, its POST goes on`, (now) => die(now, bounds, wire));
      }
  world.lines.forEach((line, at) => {
    line.tasks.forEach((task, n) => {
      if (task.isLate || task.job === 'person' || task.job === 'settle') return;
      const { job } = task;
      spends('crashes', `${line.kind} ${line.number}: the lease of ${job} ends`, (now) => {
        const slot = { ...line.jobs[job], isHeld: false };
        const tasks = line.tasks.map((one, m) => (m === n ? { ...one, isLate: true } : one));
        return patch(now, at, { jobs: { ...line.jobs, [job]: slot }, tasks });
      });
    });
  });
}

function die(world: World, bounds: Bounds, wire: Kept | null): World {
  const lines = world.lines.map((line) => {
    const notices = line.tasks.flatMap(({ notice }) => (notice ? [notice] : []));
    const slots = Object.fromEntries(
      jobs.map((job) => {
        const { due, again } = line.jobs[job];
        return [job, { due: earlier(due, again), isHeld: false, again: none }];
      }),
    ) as unknown as Line['jobs'];
    return { ...line, jobs: slots, notices: [...line.notices, ...notices], tasks: [] };
  });
  return { ...world, lines, check: unchecked(bounds, world.at), wire: wire ?? world.wire };
}
