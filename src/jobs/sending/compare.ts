import { referenceField } from '../../../mappers/additional-info.ts';
import { type Attempt, type Document, documentNumber, documentReference } from '../../domain/document.ts';
import { isWithinCents } from '../../domain/money.ts';
import type { Stored } from '../../protocol/events.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import type { ServiceCalls } from '../../service/client.ts';
import { whoseIs } from '../older-ledger/meet.ts';
import { differencesOf } from '../verify/differing.ts';

/**
 * Compares the authorised XML under a key with the attempts of a document: our reference, the number, the buyer and the
 * total, up to a cent of the service's own rounding for each tax. Never with a new mapping, which may have changed since.
 * A number may have left twice under one key with two contents: `alike` are the attempts nearest to it line by line.
 */
export async function compareStored(
  deps: Parameters<typeof whoseIs>[0],
  calls: Pick<ServiceCalls, 'descargarXml'>,
  accessKey: string,
  document: Document,
  attempts: readonly Attempt[],
): Promise<{ stored: Stored; xml: AuthorizedXml | null }> {
  const answer = await calls.descargarXml(accessKey);
  if (answer.kind !== 'found') return { stored: { kind: 'unreadable' }, xml: null };
  const xml = answer.facts;
  const isNamed =
    xml.campoAdicional[referenceField] === documentReference(document) &&
    xml.numero === documentNumber(document);
  if (isNamed)
    return { stored: { kind: 'this-sale', alike: nearest(document, attempts, xml, accessKey) }, xml };
  const whose = await whoseIs(deps, { accessKey, stored: xml });
  // The same sale, under a former name of its shop or another ordinal.
  if (whose.kind === 'own') return { stored: { kind: 'this-sale', alike: [] }, xml };
  return { stored: { kind: whose.kind === 'another-order' ? 'another-order' : 'foreign' }, xml };
}

/** The attempts of its buyer and total that differ from it least: a line, or the day, may have been another. */
function nearest(
  document: Document,
  attempts: readonly Attempt[],
  xml: AuthorizedXml,
  accessKey: string,
): number[] {
  const cents = Math.max(xml.totalImpuestos.length, 1);
  const alike = attempts.filter(
    ({ buyerId, total }) =>
      buyerId === xml.identificacionComprador && isWithinCents(xml.importeTotal, total, cents),
  );
  if (alike.length < 2) return alike.map(({ n }) => n);
  const differing = alike.map((one) => differencesOf(document, one, xml, accessKey).fields.length);
  return alike.filter((_one, at) => differing[at] === Math.min(...differing)).map(({ n }) => n);
}
