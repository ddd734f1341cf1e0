import { type Document, documentNumber } from '../../domain/document.ts';
import { type Amount, toAmount } from '../../domain/money.ts';
import { owner } from '../../domain/scope.ts';
import { isShadowShop } from '../../domain/shadow.ts';
import { done, type Step, type StepOutcome } from '../../domain/work.ts';
import { askKeepFiles } from '../ask.ts';
import type { StepDeps } from '../deps.ts';
import { isRevoked, serviceOf } from '../issued.ts';
import { storeOfDocument } from '../unknown-store.ts';
import type { Differences } from './compare.ts';
import { differencesOf } from './differing.ts';

/**
 * Reads the authorised XML back and holds it against what was sent, field by field. Nothing waits for it: it comes
 * after every emission and question of its key, and comes back slower and slower while the XML cannot be had.
 */
export function verifyDocument(deps: StepDeps): Step {
  return async (work) => {
    const document = await deps.ledger.documents.get(work.subject);
    if (document?.state !== 'authorized' || document.verification !== null) return done;
    const attempts = await deps.ledger.attempts.ofDocument(document.id);
    const sent = attempts.find(({ outcome }) => outcome === 'authorized');
    if (!sent || document.accessKey === null) return done;
    const key = serviceOf(deps, document, storeOfDocument(deps, document));
    const answer = await key.calls(work).descargarXml(document.accessKey);
    if (answer.kind === 'unauthorized') isRevoked(deps, key);
    if (answer.kind !== 'found') return later(deps, document);
    await keep(deps, document, answer.xml);
    await note(
      deps,
      document,
      differencesOf(document, sent, answer.facts),
      toAmount(answer.facts.importeTotal),
    );
    return done;
  };
}

/** That it was verified is written last: whoever dies before looks, and tells, once more. */
async function note(
  deps: StepDeps,
  document: Document,
  { fields, isRounding }: Differences,
  total: Amount,
): Promise<void> {
  const differs = fields.length > 0 && !isRounding;
  // Of a shadow its report tells.
  if (differs && !isShadowShop(document.shop)) await tell(deps, document, fields);
  const said = differs ? fields : isRounding ? ({ code: 'rounding-difference', total } as const) : 'agrees';
  await deps.ledger.documents.verified(document.id, said, deps.clock.now());
}

async function tell(deps: StepDeps, document: Document, fields: string[]): Promise<void> {
  deps.log.error(
    { store: document.storeId, order: document.orderId, number: documentNumber(document), fields },
    'The authorised document is not what was sent; a person must look at it',
  );
  await deps.alerts.raise({
    code: 'document-differs',
    subject: document.id,
    about: owner.shop(document),
    what: `Pedido ${document.orderName}: lo que autorizó el SRI con el número ${documentNumber(document)} no es lo que se envió (${fields.join(', ')}).`,
    cure: 'Compare el XML autorizado con el pedido antes de entregarlo; si difiere, anúlelo en el portal del SRI.',
  });
}

/** The XML is at hand; the PDF follows when nobody needs the key's rate more. */
async function keep({ ledger, clock, keepBytes }: StepDeps, document: Document, xml: string): Promise<void> {
  // A shadow is never handed out.
  if (keepBytes === 0 || isShadowShop(document.shop)) return;
  const now = clock.now();
  await ledger.files.keep({ documentId: document.id, kind: 'xml', bytes: Buffer.from(xml), now });
  await askKeepFiles(ledger, document, now);
}

const minute = 60_000;
const longestWait = 24 * 60 * minute;
const giveUpAfter = 30 * longestWait;

/** As long again as it has waited already, from two minutes to a day; after a month nobody asks any more. */
function later(deps: StepDeps, document: Document): StepOutcome {
  const now = deps.clock.now().getTime();
  const age = now - Date.parse(document.updatedAt);
  if (age > giveUpAfter) {
    deps.log.warn(
      { store: document.storeId, number: documentNumber(document) },
      'The authorised XML could not be read for a month; the document stays unverified',
    );
    return done;
  }
  const wait = Math.min(Math.max(age, 2 * minute), longestWait);
  return { kind: 'again', dueAt: new Date(now + wait), reason: 'the authorised XML cannot be read yet' };
}
