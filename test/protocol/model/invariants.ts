import { type Bounds, isOf, isOurs, type Kept, type Line, none, underWay, type World } from './world.ts';

/* What must hold, in every state and at every end. */

const isLive = ({ status }: Kept) =>
  status === 'authorized' || status === 'processing' || status === 'in-process';

/** The sentence that does not hold in this world; null where all do. */
export function broken(world: World, bounds: Bounds): string | null {
  const { kept, lines } = world;
  const authorized = kept.filter((one) => one.status === 'authorized' && isOurs(one));
  const facturas = authorized.filter(({ kind, sale }) => kind === 'factura' && sale === 'this');
  const others = authorized.filter(({ sale }) => sale === 'other');
  const notas = authorized.filter(({ kind }) => kind === 'nota');
  if (facturas.length > 1 || others.length > 1) return 'a sale has two authorised facturas';
  if (notas.length > 1) return 'a refund has two authorised notas de crédito';
  if (notas.length === 1 && facturas[0]?.content.endsWith('less refund'))
    return 'a refund is taken back twice';
  if (world.failures >= bounds.timings.serviceDownAfter && !world.isPaused)
    return 'the service is down and its account goes on';
  for (const line of lines) {
    const said = brokenLine(world, bounds, line);
    if (said) return said;
  }
  return null;
}

function brokenLine({ kept, stopped, wrongs, isWoken }: World, bounds: Bounds, line: Line): string | null {
  const { document, attempts } = line.state;
  const { state } = document;
  if (state === 'authorized') {
    const there = kept.find(({ key }) => key === document.accessKey);
    if (there?.status !== 'authorized' || !isOurs(there) || !isOf(line, there))
      return 'a document is called authorised that the authority has not authorised';
    // A person confirmed it all the same.
    if (there.content !== document.total && there.content !== 'altered')
      return 'a document is reported with another buyer or total than was authorised';
    if (`d${there.day}` !== document.issueDate)
      return 'a document is reported with another date than was authorised';
    if (
      !attempts.some(({ outcome, accessKey }) => outcome === 'authorized' && accessKey === document.accessKey)
    )
      return 'a document is authorised without an attempt';
  }
  if (
    state === 'rejected' ||
    state === 'manual' ||
    state === 'authorized' ||
    state === 'cancelled' ||
    state === 'held'
  ) {
    if (!line.isShown) return `a document is ${state} and nobody is shown it`;
  } else if (underWay.has(state) && isStuck(line) && !(state === 'ready' && isWoken))
    return `a document is ${state} without job, alert or person`;
  if (bounds.isSparing && line.asked > wrongs)
    return 'a document needs a person more often than something is wrong with it';
  if (
    document.code === 'reprocess' &&
    attempts.findLast(({ outcome }) => outcome === 'error')?.cause === 'document'
  )
    return 'a document waits for what only a person can fix';
  // With a key for each POST an error that overtakes its answer may be taken for an earlier sending of the same day.
  const isReported = bounds.crashes === 0 && (bounds.keys === 'fixed' || bounds.keys === 'foreseen');
  if (isReported && state === 'rejected' && kept.some((one) => isOf(line, one) && isOurs(one) && isLive(one)))
    return 'a document is called rejected though one of it is at the authority';
  if (bounds.isVerified && stopped[line.kind] === line.number && kept.every(isOurs))
    return 'a series is stopped though nobody else used its number';
  return null;
}

const isStuck = ({ jobs, tasks, notices }: Line): boolean =>
  tasks.length === 0 &&
  notices.length === 0 &&
  jobs.submit.due === none &&
  jobs['follow-up'].due === none &&
  jobs.reprocess.due === none;

/** Nothing goes on by itself, and what is reported of the sale is true. */
export function isEnd({ kept, lines, wire, isWoken, isOlder, stopped }: World): boolean {
  if (wire || isWoken || isOlder || kept.some(({ isLost }) => isLost)) return false;
  return lines.every((line) => {
    const { state } = line.state.document;
    if (line.tasks.length > 0 || underWay.has(state)) return false;
    const live = kept.filter((one) => isOf(line, one) && isOurs(one) && isLive(one));
    if (state === 'authorized' && stopped[line.kind] === line.number) return false;
    if (state === 'authorized') return live.some(({ status }) => status === 'authorized');
    return live.length === 0 || (state === 'cancelled' && line.isReportedDropped);
  });
}
