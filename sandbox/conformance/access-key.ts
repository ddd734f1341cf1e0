/** The parts of a clave de acceso of 49 digits (ficha técnica SRI, tabla 1). */
export interface KeyParts {
  /** ddmmaaaa */
  fecha: string;
  tipo: string;
  ruc: string;
  ambiente: string;
  establecimiento: string;
  puntoEmision: string;
  secuencial: string;
  codigoNumerico: string;
  tipoEmision: string;
  digitVerifies: boolean;
}

/** Takes 49 digits apart; null for anything else. */
export function readKey(key: unknown): KeyParts | null {
  if (typeof key !== 'string' || !/^\d{49}$/.test(key)) return null;
  return {
    fecha: key.slice(0, 8),
    tipo: key.slice(8, 10),
    ruc: key.slice(10, 23),
    ambiente: key.slice(23, 24),
    establecimiento: key.slice(24, 27),
    puntoEmision: key.slice(27, 30),
    secuencial: key.slice(30, 39),
    codigoNumerico: key.slice(39, 47),
    tipoEmision: key.slice(47, 48),
    digitVerifies: checkDigit(key.slice(0, 48)) === Number(key[48]),
  };
}

// Modulo 11, weights 2 to 7 from the right; 11 becomes 0 and 10 becomes 1.
function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, at) => total + Number(digit) * (2 + (at % 6)), 0);
  const digit = 11 - (sum % 11);
  return digit === 11 ? 0 : digit === 10 ? 1 : digit;
}
