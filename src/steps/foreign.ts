import type { Alert } from '../core/alerts.ts';
import { type Attempt, type Document, documentNumber, type Series } from '../core/document.ts';
import type { DocumentPatch } from '../ledger/document-tables.ts';
import { askWriteBack } from './ask.ts';
import type { StepDeps } from './deps.ts';
import { maybeOurs } from './sentences.ts';

/**
 * A document that is not ours holds our number: the series gives no more numbers until a person has looked.
 * Answers what the document says of it.
 */
export async function stopSeries(
  deps: StepDeps,
  document: Document,
  foreignKey: string | null,
): Promise<DocumentPatch> {
  const { ruc, ambiente, codDoc, establecimiento, puntoEmision } = document;
  const number = documentNumber(document) ?? '';
  const where = ambiente === 1 ? ' en el ambiente 1 (pruebas)' : '';
  const reason = `El número ${number} ya fue usado${where} por un documento que este sistema no emitió. Indique en la configuración un primer número libre o use otro punto de emisión.`;
  const series = { ruc, ambiente, codDoc, establecimiento, puntoEmision };
  await deps.ledger.sequences.stop(series, reason, deps.clock.now());
  deps.log.error(
    { store: document.storeId, number, foreignKey },
    'A foreign document holds our number; the series is stopped',
  );
  await deps.alerts.raise({ ...seriesAlert(series), what: reason, cure: seriesCure });
  return { accessKey: null, code: 'foreign-number', reason };
}

const seriesCure =
  'Indique en la configuración un primer número libre (series.first) y reinicie, o use otro punto de emisión.';

/** The name of the alert for a series that gives no more numbers; one of trials, a shadow's for one, has its own. */
export function seriesAlert({
  ruc,
  ambiente,
  codDoc,
  establecimiento,
  puntoEmision,
}: Series): Pick<Alert, 'code' | 'subject'> {
  const trial = ambiente === 1 ? ' pruebas' : '';
  return {
    code: 'series-stopped',
    subject: `${ruc} ${codDoc} ${establecimiento}-${puntoEmision}${trial}`,
  };
}

/**
 * A key that was adopted is somebody else's: its XML was read and says so, or the service never shows it to us (`unseen`).
 * One that was never seen stays known, and a person is told that it may be ours all the same.
 */
export async function disown(
  deps: StepDeps,
  document: Document,
  attempt: Attempt,
  as: 'read' | 'unseen',
): Promise<void> {
  const stopped = await stopSeries(deps, document, attempt.accessKey);
  const isUnseen = as === 'unseen';
  const patch = isUnseen ? { ...stopped, reason: `${stopped.reason} ${maybeOurs(document)}` } : stopped;
  const now = deps.clock.now();
  await deps.ledger.transaction(async (tables) => {
    await tables.attempts.end(attempt.id, {
      outcome: 'refused',
      ...(isUnseen ? {} : { accessKey: null }),
      now,
    });
    const from = ['sending', 'processing', 'uncertain'] as const;
    const moved = await tables.documents.move(document.id, {
      from,
      to: 'manual',
      patch,
      note: { cause: 'foreign key', foreignKey: attempt.accessKey },
      now,
    });
    if (moved) await askWriteBack(tables, moved, now);
  });
}
