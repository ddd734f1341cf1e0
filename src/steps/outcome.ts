import type { Attempt, Document } from '../core/document.ts';
import type { Order } from '../core/order.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { FoundDocument } from '../service/answers.ts';
import { askFollowUp, askSync, askWriteBack } from './ask.ts';
import type { StepDeps } from './deps.ts';
import { isAmbiguous } from './repeat.ts';
import { alreadyRegistered, notAuthorised } from './sentences.ts';

/** The document exists already under another attempt, or this very one (SRI reception codes 43, 45). */
const registered = new Set(['43', '45']);
/** The authority is still at it: neither resend nor a new key (SRI code 70). */
const stillProcessing = '70';

/**
 * Applies what the service says of one access key. An authorised attempt makes the document authorised, finally;
 * an error ends only its attempt, and the document is rejected when no other attempt may still come true.
 */
export async function applyOutcome(deps: StepDeps, document: Document, found: FoundDocument): Promise<void> {
  if (found.state === 'processing') return;
  const now = deps.clock.now();
  await deps.ledger.transaction(async (tables) => {
    const attempts = await tables.attempts.ofDocument(document.id);
    const attempt = attemptOf(attempts, found.claveacceso);
    if (found.state === 'authorized') {
      if (attempt)
        await tables.attempts.end(attempt.id, { outcome: 'authorized', accessKey: found.claveacceso, now });
      const moved = await tables.documents.move(document.id, {
        from: ['sending', 'processing', 'uncertain', 'rejected', 'manual'],
        to: 'authorized',
        patch: {
          accessKey: found.claveacceso,
          authorizedAt: found.fechaAutorizacion ?? now.toISOString(),
          issueDate: attempt?.issueDate ?? document.issueDate,
          code: null,
          reason: null,
        },
        note: { accessKey: found.claveacceso },
        now,
      });
      if (moved) {
        await askWriteBack(tables, moved, now);
        await wakeRefunds(tables, moved, now);
      }
      // The question nobody needs answered any more would still book a slot of the key's rate.
      await tables.work.forget('follow-up', document.id);
      return;
    }
    // Told before: nothing is new, and nothing may be asked because of it.
    if (attempt?.outcome === 'error') return;
    if (found.errors.some((error) => error.identificador === stillProcessing)) return;
    const errors = found.errors.map((error) =>
      [error.identificador, error.mensaje, error.informacionAdicional].filter(Boolean).join(' '),
    );
    if (attempt)
      await tables.attempts.end(attempt.id, { outcome: 'error', accessKey: found.claveacceso, errors, now });
    const others = attempts.filter(
      (other) => other.id !== attempt?.id && (isAmbiguous(other) || other.outcome === 'created'),
    );
    const exists = found.errors.some((error) => registered.has(error.identificador ?? ''));
    const to = others.length > 0 ? 'uncertain' : exists ? 'manual' : 'rejected';
    const reason = exists ? alreadyRegistered(document) : notAuthorised(document, errors);
    const patch = { code: exists ? 'number-registered' : 'not-authorised', reason };
    const moved = await tables.documents.move(document.id, {
      from: ['sending', 'processing', 'uncertain'],
      to,
      patch,
      note: { accessKey: found.claveacceso, errors },
      now,
    });
    if (moved && to === 'uncertain') await askFollowUp(tables, moved, now);
    else if (moved) await askWriteBack(tables, moved, now);
  });
}

/** The attempt that bears the key, else the one whose answer was lost. */
function attemptOf(attempts: readonly Attempt[], accessKey: string): Attempt | undefined {
  return (
    attempts.find((attempt) => attempt.accessKey === accessKey) ??
    attempts.find((attempt) => attempt.accessKey === null && isAmbiguous(attempt))
  );
}

/** Refunds that waited for their factura are looked at again. */
async function wakeRefunds(tables: Tables, document: Document, now: Date): Promise<void> {
  if (document.kind !== 'factura') return;
  const row = await tables.orders.get(document);
  const refunds = (row?.snapshot as Order | undefined)?.refunds ?? [];
  if (refunds.length > 0) await askSync(tables, document, now);
}
