import { type Document, documentNumber, type ErrorCause } from '../domain/document.ts';
import { limitText } from '../domain/text.ts';
import { authority, authorityWarnings } from '../messages/authority.ts';
import { documentReasons, type OfDocument, thenReprocess } from '../messages/document-reasons.ts';
import { named as namedKind, sentenceOf } from '../messages/message.ts';
import type { Reason, Sentence } from '../protocol/effects.ts';
import type { ServiceMessage } from '../service/inferred.ts';

export const named = ({ kind }: Pick<Document, 'kind'>): string => namedKind(kind);

/** The attempt keeps all of the words. */
const quoted = (words: string): string => limitText(words, 2_000);

/** Whether its reason asks to have it reprocessed, once what lies outside of it is fixed. */
export const mayBeReprocessed = ({ code, reason }: Pick<Document, 'code' | 'reason'>): boolean =>
  code === 'not-authorised' && reason !== null && reason.endsWith(thenReprocess);

type Numbered = Pick<Document, 'establecimiento' | 'puntoEmision' | 'secuencial'>;

export const aboutDocument = (
  document: Numbered & Partial<Pick<Document, 'kind' | 'id' | 'ambiente'>>,
): OfDocument => ({
  kind: document.kind ?? 'factura',
  id: document.id ?? '',
  number: documentNumber(document) ?? '',
  isTest: document.ambiente === 1,
});

export const saidOf = (
  sentence: Sentence,
  document: Parameters<typeof aboutDocument>[0],
  accessKey = '',
): string => {
  const nothing = { words: '', accessKey, planned: '', cause: null, isOutside: false };
  return documentReasons[sentence](aboutDocument(document), nothing);
};

const ofAuthority: readonly Sentence[] = ['notAuthorised', 'triedAgain'];

export function reasonOf(
  document: Document,
  { sentences, words = [], accessKey = '' }: Reason,
  planned = '',
): string {
  const { cause, message } = causeOfReported(words);
  return sentences
    .map((sentence) => {
      const joined = words.join(ofAuthority.includes(sentence) ? '; ' : ' ');
      return documentReasons[sentence](aboutDocument(document), {
        words: quoted(joined),
        accessKey,
        planned,
        cause: message,
        isOutside: cause !== 'document',
      });
    })
    .join(' ');
}

/** Of the authority's codes whose cause is sure; what others report lies in the document. */
export const authorityCauses: Readonly<Record<string, Exclude<ErrorCause, 'document'>>> = {
  ...Object.fromEntries(
    ['2', '10', '28', '37', '39', '40', '42', '56', '57', '63'].map((code) => [code, 'issuer']),
  ),
  '43': 'registered',
  '45': 'number-taken',
  '50': 'authority',
  '65': 'date',
  '70': 'in-process',
};

/** Which cause counts where several errors came: first what exists already, then what reprocessing cannot fix. */
const gravity: readonly ErrorCause[] = [
  'in-process',
  'number-taken',
  'registered',
  'document',
  'issuer',
  'authority',
  'date',
];

/** The cause of an error event, and what its code means with what to do, where that is known. */
export function causeOf(errors: readonly Pick<ServiceMessage, 'identificador'>[]): {
  cause: ErrorCause;
  message: string | null;
} {
  const codes = errors.map(({ identificador }) => identificador ?? '');
  const causes = codes.map((code) => authorityCauses[code] ?? 'document');
  const cause = gravity.find((one) => causes.includes(one)) ?? 'document';
  const own = codes.filter((_, at) => causes[at] === cause).filter(isError);
  const known = own.find((code) => Object.hasOwn(authority, code));
  return {
    cause,
    message: known === undefined ? null : sentenceOf(authority[known as keyof typeof authority]),
  };
}

const isError = (code: string): boolean => !authorityWarnings.includes(code);

/** The same for the sentences an attempt keeps, which begin with their code ("39 FIRMA INVALIDA"). */
export const causeOfReported = (sentences: readonly string[]) =>
  causeOf(sentences.map((sentence) => ({ identificador: /^\d+/.exec(sentence)?.[0] ?? null })));
