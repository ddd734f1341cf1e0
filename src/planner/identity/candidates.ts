import type { Choice } from './choice.ts';
import type { Reading } from './readings.ts';
import type { CandidateVerdict, IdentityTrace } from './trace.ts';

const why: Record<CandidateVerdict, string> = {
  chosen: 'es la que consta en la factura',
  same: 'es la misma identificación, repetida en otro lugar',
  other: 'es válida, pero otra va antes que ella',
  refused: 'pide consumidor final, que este pedido no admite',
  contradicts: 'contradice a otro RUC del pedido',
  wrong: 'no es una cédula ni un RUC válido, ni se indica otro tipo',
  phone: 'es un número de teléfono',
  'order-number': 'es el número del pedido',
  nothing: 'dice que no hay identificación',
};

/** What became of every identification on the order, without its value. */
export function candidatesOf(readings: readonly Reading[], choice: Choice): IdentityTrace['candidates'] {
  return readings.map((reading) => {
    const verdict = verdictOf(reading, choice);
    const { source, type: stated } = reading.candidate;
    return { source, stated, verdict, why: why[verdict] };
  });
}

function verdictOf(reading: Reading, choice: Choice): CandidateVerdict {
  switch (reading.kind) {
    case 'passed-over':
      return reading.as;
    case 'wrong':
      return 'wrong';
    case 'final-consumer':
      if (choice.kind === 'final-consumer-refused') return 'refused';
      return choice.kind === 'final-consumer' && choice.askedIn === reading ? 'chosen' : 'other';
    case 'valid':
      if (choice.kind === 'contradiction') return reading.type === 'ruc' ? 'contradicts' : 'other';
      if (choice.kind !== 'named') return 'other';
      if (choice.found === reading) return 'chosen';
      return choice.found.id === reading.id ? 'same' : 'other';
  }
}
