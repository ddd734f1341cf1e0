/*
 * What the sentences of a refusal speak of. The service has no catalogue of codes that is shown (spec, "Errors"), so
 * its words decide: apart from case, accents and signs, each idea in one place.
 */

/** Lower case without accents; `|` stands between clauses, single spaces between words. */
export const plainWords = (sentence: string): string =>
  sentence
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[.,:;()\n]/g, ' | ')
    .replace(/[^a-z0-9|]+/g, ' ')
    .trim();

const says =
  (...patterns: readonly RegExp[]) =>
  (sentences: readonly string[]): boolean =>
    sentences.some((one) => patterns.some((pattern) => pattern.test(plainWords(one))));

const existing =
  /\bya existe\b|\bya (?:fue |ha sido |esta |se encuentra )?(?:registrad|emitid|autorizad|utilizad|usad)[oa]\b|^(?:registrad|duplicad)[oa]$|\b(?:clave|comprobante|documento|secuencial|numero|factura|nota)s?(?: [a-z0-9]{1,60}){0,6} (?:registrad|duplicad)[oa]\b/;
const notExisting = /\b(?:no|sin|nunca) (?:[a-z0-9]{1,60} ){0,3}(?:registrad|duplicad|emitid|autorizad)/;

/** That the document, its key or its number stands at the service already: "Clave de acceso registrada". */
export const saysExists = (sentences: readonly string[]): boolean =>
  sentences.some((one) => {
    const plain = plainWords(one);
    return existing.test(plain) && (plain.includes('ya existe') || !notExisting.test(plain));
  });

/** That the API key is wrong or missing: "Api_key No existe". */
export const saysBadKey = says(
  /\bapi ?key (?:es |esta )?(?:no existe|no valid|no encontrad|invalid|incorrect|requerid|obligatori|inactiv|revocad)/,
  /\b(?:falta|sin|invalid[ao]?) (?:la |el )?(?:header )?(?:x )?api ?key\b/,
);

/**
 * That the account has no credits left: "Sin créditos", "Sin saldo / comprobantes disponibles". Credits in the plural: a
 * "nota de crédito" is none, and the saldo of an invoice is not the account's.
 */
export const saysNoCredits = (sentences: readonly string[]): boolean =>
  noBalance(sentences) || sentences.some(lacksCredits);

const noBalance = says(
  /\b(?:sin|no (?:tiene|hay|posee|cuenta con|dispone de|queda|le queda)) (?:saldo\b|(?:comprobantes|documentos) disponibles)/,
  /\b(?:saldo|comprobantes disponibles|documentos disponibles) (?:insuficientes?|agotad[oa]s?)\b/,
  /\b(?:comprobantes|documentos) agotados\b/,
);

function lacksCredits(sentence: string): boolean {
  const plain = plainWords(sentence);
  const [first, last] = [plain.search(/\bcreditos\b/), plain.lastIndexOf('creditos')];
  if (first < 0) return false;
  const before = plain.search(/\b(?:no|sin|insuficientes)\b/);
  return (before >= 0 && before < last) || /\b(?:insuficientes|agotados)/.test(plain.slice(first));
}

/** The date of issue, by its field or by its name. */
export const namesIssueDate = says(/\bfecha ?(?:de ?)?(?:la ?)?emision/);

/** The provider data an account needs in production (spec, key rules). */
export const namesProvider = says(/proveedor/);
