import { referenceField } from '../../../mappers/additional-info.ts';
import type { FacturaBody, NotaCreditoBody } from '../../../mappers/body.ts';
import { type Attempt, type Document, documentReference } from '../../domain/document.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import { compareAuthorized, type Differences } from './compare.ts';

/**
 * In what an authorised XML differs from one sending of its document.
 * The body is our own JSON, sealed since it was written: read, not checked again.
 */
export function differencesOf(
  document: Document,
  { body, total }: Pick<Attempt, 'body' | 'total'>,
  xml: AuthorizedXml,
  accessKey = document.accessKey ?? '',
): Differences {
  const reference = { name: referenceField, value: documentReference(document) };
  const sent = JSON.parse(body) as FacturaBody | NotaCreditoBody;
  return compareAuthorized({ codDoc: document.codDoc, accessKey, reference, body: sent, total }, xml);
}
