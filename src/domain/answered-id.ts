import { examine, foreignId } from './identification.ts';
import { saysFlaw } from './identification-flaws.ts';

/** The identification in its plain form, or what is wrong with it in a Spanish sentence. */
export type AnsweredId = { value: string; says: null } | { value: null; says: string };

/**
 * What somebody wrote who also said what it is. Runs in the browser too, while it is written: neither this module nor
 * what it imports may need anything else.
 */
export function answeredId(type: 'cedula' | 'ruc' | 'pasaporte' | 'exterior', text: string): AnsweredId {
  const wrong = (says: string): AnsweredId => ({ value: null, says });
  if (text.trim() === '') return wrong('Escriba el número de su identificación.');
  if (type === 'pasaporte' || type === 'exterior') {
    const value = foreignId(text);
    if (value !== null) return { value, says: null };
    return wrong('Escriba el número tal como consta en el documento: de 3 a 20 letras y números.');
  }
  const examined = examine(text);
  if (!examined.ok) return wrong(`Este número ${saysFlaw(examined.flaw, examined.digits)}.`);
  const { found } = examined;
  if (found.type === 'consumidor-final')
    return wrong('Este es el número de consumidor final: escriba su propia identificación.');
  if (found.type === type) return { value: found.value, says: null };
  return wrong(
    found.type === 'ruc'
      ? 'Este número es un RUC: elija «RUC».'
      : 'Este número es una cédula: elija «Cédula».',
  );
}
