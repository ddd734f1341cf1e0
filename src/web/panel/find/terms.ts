/** What a text may mean; several may hold at once ("1001" is an order, a number and an id). */
export interface Terms {
  /** Without its sign. */
  order: string;
  accessKey: string | null;
  number: { establecimiento?: string; puntoEmision?: string; secuencial: string } | null;
  /** "33.75" */
  amount: string | null;
  /** Cédula or RUC. */
  buyer: string | null;
}

/** Reads what a person typed into the one box. */
export function readTerms(text: string): Terms {
  const bare = text.trim().replace(/^#/, '');
  const digits = bare.replace(/\s/g, '');
  return {
    order: bare,
    accessKey: /^\d{49}$/.test(digits) ? digits : null,
    number: readNumber(digits),
    amount: readAmount(bare),
    buyer: /^\d{10}(\d{3})?$/.test(digits) ? digits : null,
  };
}

function readNumber(text: string): Terms['number'] {
  const [, establecimiento, puntoEmision, long] = /^(\d{3})-(\d{3})-(\d{1,9})$/.exec(text) ?? [];
  if (establecimiento && puntoEmision && long)
    return { establecimiento, puntoEmision, secuencial: long.padStart(9, '0') };
  return /^\d{1,9}$/.test(text) ? { secuencial: text.padStart(9, '0') } : null;
}

/** "USD 1.234,50", "$33.75" and "33,75" are amounts; "33" is too. */
function readAmount(text: string): string | null {
  const bare = text.replace(/^(usd|\$)\s*/i, '').replace(/[.,](?=\d{3}(\D|$))/g, '');
  const [, whole, cents = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(bare) ?? [];
  return whole === undefined ? null : `${Number(whole)}.${cents.padEnd(2, '0')}`;
}
