import { mayMove } from '../../../src/domain/document.ts';
import { LedgerError } from '../../../src/domain/errors.ts';
import { takeKey } from '../../../src/jobs/take-key.ts';
import type { World } from './world.ts';

/** How a world ended, and what of it should not have been. */
export interface Verdict {
  end: string;
  wrong: string[];
}

/**
 * Asks the service's own books and the shop, never only our ledger: exactly one authorised document of the right
 * total, or none and a reason; no second number; no number given back; written back, each note once; nothing left waiting.
 */
export async function judge(world: World): Promise<Verdict> {
  const { bench, kind, foreign, amount } = world;
  const wrong: string[] = [];
  const must = (holds: boolean, what: string) => void (holds || wrong.push(what));
  const document = await world.document();
  const { state, code, reason, secuencial, accessKey } = document;
  const tipo = kind === 'factura' ? '01' : '04';
  const stored = bench.sandbox
    .documents()
    .filter((one) => one.tipo === tipo && !foreign.has(one.claveacceso));
  const authorised = stored.filter(({ estado }) => estado === 4 || estado === 9);

  must(authorised.length <= 1, `${authorised.length} are authorised`);
  must(new Set(stored.map(({ numero }) => numero)).size <= 1, 'it has two numbers');
  for (const one of authorised)
    must(one.figures?.importeTotal === amount, `it is over ${one.figures?.importeTotal}`);
  must(
    bench.sandbox.audit().duplicates.every(({ authorised }) => authorised <= 1),
    'one number was authorised twice',
  );

  if (state === 'authorized') {
    must(
      authorised[0]?.claveacceso === accessKey,
      'the ledger knows another authorised key than the service',
    );
    must(
      JSON.stringify(bench.shop.order('1201')?.meta_data).includes(accessKey ?? '?'),
      'the order lacks the key',
    );
  } else {
    must(['rejected', 'manual', 'held'].includes(state), `it stays ${state}`);
    must((reason ?? '') !== '', 'nobody is told why');
    must(
      bench.shop.notes('1201').some(({ note }) => note.includes(reason ?? '?')),
      'the order does not say why',
    );
    must(
      authorised.length === 0 || (reason ?? '').includes('facturapuente adopt'),
      'it is authorised, and nobody is told how to make that known',
    );
  }
  if (authorised[0] && state === 'manual') await judgeAdoption(world, authorised[0].claveacceso, must);
  // The shop notes the mail of each note to the customer too, in the same words.
  const notes = bench.shop.notes('1201').flatMap(({ note }) => (note.startsWith('Email') ? [] : [note]));
  must(new Set(notes).size === notes.length, 'a note stands twice on the order');
  must(document.writtenBack === state, `written back as ${document.writtenBack}`);
  must(secuencial === '000000001', `its number is ${secuencial}`);
  await judgeSeries(world, must);
  await judgeHistory(world, must);
  const waiting = Object.values(await bench.ledger.jobs.counts()).reduce((a, b) => a + b, 0);
  must(waiting === 0, `${waiting} works wait for ever`);
  must((await bench.ledger.pauses.list()).length === 0, 'the account stays paused');
  return { end: state === 'authorized' ? state : `${state}: ${code}`, wrong };
}

/** The person does what the reason says, and the document is authorised and shown after all. */
async function judgeAdoption(
  { bench, document, resume }: World,
  accessKey: string,
  must: Must,
): Promise<void> {
  const taken = await takeKey(bench.deps, await document(), {
    accessKey,
    by: 'quien factura',
    confirmed: false,
  });
  must(taken.kind === 'authorized', `adopting the key: ${JSON.stringify(taken)}`);
  await resume();
  const { state, writtenBack, accessKey: known } = await document();
  must(state === 'authorized' && known === accessKey, 'the adopted key did not authorise it');
  must(writtenBack === state, 'the adopted document was not written back');
}

/**
 * The next number is the next one: none was given back, none skipped; a foreign one stops the series, and so does one that
 * is registered already before a process has seen a number of the series prove new.
 */
async function judgeSeries({ bench, document }: World, must: Must): Promise<void> {
  const { ruc, ambiente, codDoc, establecimiento, puntoEmision, code } = await document();
  const series = { ruc, ambiente, codDoc, establecimiento, puntoEmision };
  const next = await bench.ledger.sequences.reserve(series, 1).catch((error) => {
    if (error instanceof LedgerError && error.code === 'series-stopped') return 'stopped';
    throw error;
  });
  const may = {
    'number-conflict': ['stopped'],
    'number-registered': ['stopped', '000000002'],
    'key-unknown': ['stopped', '000000002'],
  }[code ?? ''] ?? ['000000002'];
  must(may.includes(next), `the next number is ${next}`);
}

async function judgeHistory({ bench, document }: World, must: Must): Promise<void> {
  const { id } = await document();
  let state: string | null = null;
  for (const { from, to } of await bench.ledger.documents.history(id)) {
    must(from === state && (from === null || mayMove(from, to)), `it moved from ${from} to ${to}`);
    state = to;
  }
  const attempts = await bench.ledger.attempts.ofDocument(id);
  must(attempts.filter(({ outcome }) => outcome === 'authorized').length <= 1, 'two attempts are authorised');
}

type Must = (holds: boolean, what: string) => void;
