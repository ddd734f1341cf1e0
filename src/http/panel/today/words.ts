import { inBoth } from '../words.ts';

export const todayWords = inBoth(
  {
    nav: 'Hoy',
    title: 'Lo que espera a una persona',
    nothing: 'Nada espera a una persona.',
  },
  {
    nav: 'Today',
    title: 'What waits for a person',
    nothing: 'Nothing waits for a person.',
  },
);
