/** What an access key says about its document, in the service's words (ficha técnica SRI, tabla 1). */
export interface AccessKeyFacts {
  tipo_comprobante: string;
  ruc_emisor: string;
  ambiente: number;
  /** "001-001-000000001" */
  numero: string;
}

/** Reads the parts of 49 digits; the caller has made sure that they are 49. */
export function readAccessKey(claveacceso: string): AccessKeyFacts {
  const part = (from: number, length: number) => claveacceso.slice(from, from + length);
  return {
    tipo_comprobante: part(8, 2),
    ruc_emisor: part(10, 13),
    ambiente: Number(part(23, 1)),
    numero: `${part(24, 3)}-${part(27, 3)}-${part(30, 9)}`,
  };
}

/** The parts of a key of 49 digits that are others than these facts say; none where it names what they name. */
export function otherParts(
  claveacceso: string,
  facts: { readonly [Part in keyof AccessKeyFacts]?: AccessKeyFacts[Part] | null | undefined },
): (keyof AccessKeyFacts)[] {
  const key = readAccessKey(claveacceso);
  return parts.filter((part) => facts[part] != null && facts[part] !== key[part]);
}

const parts = ['tipo_comprobante', 'ruc_emisor', 'ambiente', 'numero'] as const;

/** The day its document was issued, YYYY-MM-DD: the first eight of 49 digits are ddmmaaaa (same table). */
export const issueDayOf = (claveacceso: string): string =>
  `${claveacceso.slice(4, 8)}-${claveacceso.slice(2, 4)}-${claveacceso.slice(0, 2)}`;

/** Whether the last of 49 digits verifies the others. */
export const hasCheckDigit = (claveacceso: string): boolean =>
  Number(claveacceso[48]) === checkDigit(claveacceso.slice(0, 48));

/**
 * What a key does not take from its document: the eight digits its issuer is free to choose, and the type of emission
 * behind them; digits 40 to 48 of 49 (same table).
 */
export const freeDigitsOf = (claveacceso: string): string => claveacceso.slice(39, 48);

/** What a key takes from its document. */
export interface KeyParts {
  /** YYYY-MM-DD */
  issueDate: string;
  codDoc: string;
  ruc: string;
  ambiente: number;
  establecimiento: string;
  puntoEmision: string;
  /** 9 digits. */
  secuencial: string;
}

/** The access key of a document, with these free digits. */
export function accessKeyOf(parts: KeyParts, freeDigits: string): string {
  const { issueDate, codDoc, ruc, ambiente, establecimiento, puntoEmision, secuencial } = parts;
  const day = `${issueDate.slice(8, 10)}${issueDate.slice(5, 7)}${issueDate.slice(0, 4)}`;
  const digits = `${day}${codDoc}${ruc}${ambiente}${establecimiento}${puntoEmision}${secuencial}${freeDigits}`;
  return `${digits}${checkDigit(digits)}`;
}

/** Modulo 11, weights 2 to 7 from the right; 11 becomes 0 and 10 becomes 1 (ficha técnica SRI, §5.2). */
function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, at) => total + Number(digit) * (2 + (at % 6)), 0);
  const rest = 11 - (sum % 11);
  return rest === 11 ? 0 : rest === 10 ? 1 : rest;
}
