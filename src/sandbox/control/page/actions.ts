import { announceTest } from '../../webhooks/webhooks.ts';
import type { World } from '../../world.ts';
import { moveClock } from './clock.ts';
import { addFault } from './faults.ts';
import type { Notice } from './layout.ts';

type Asked = Readonly<Record<string, string>>;

/** What a form does: a code of `notices` when it is done, or the sentence that says why it is not. */
export type Outcome = { done: keyof typeof notices } | { refused: string };
export type Action = (asked: Asked, params: Asked) => Outcome | Promise<Outcome>;

const notices = {
  falla: 'Falla agregada.',
  'sin-fallas': 'Fallas quitadas.',
  reloj: 'Reloj cambiado.',
  prueba: 'webhook.prueba va en camino.',
  repetida: 'La entrega se está repitiendo.',
  reinicio: 'El sandbox empezó de nuevo.',
} as const;

/** The sentence for the code in an address; an unknown code says nothing. */
export function noticeOf(code: unknown): Notice | undefined {
  const known = typeof code === 'string' && Object.hasOwn(notices, code);
  return known ? { tone: 'ok', text: notices[code as keyof typeof notices] } : undefined;
}

/** Every form of the page by its path. */
export function actionsOf(world: World, reset: () => void): Readonly<Record<string, Action>> {
  return {
    '/fallas': (asked) => {
      const refused = addFault(world, asked);
      return refused === undefined ? { done: 'falla' } : { refused };
    },
    '/fallas/quitar': () => {
      world.faults.clear();
      return { done: 'sin-fallas' };
    },
    '/reloj': (asked) =>
      moveClock(world, asked) ? { done: 'reloj' } : { refused: 'Escriba una fecha y hora válidas.' },
    '/prueba': () => {
      const open = [...world.accounts.values()].filter(({ webhook }) => webhook?.activo);
      for (const account of open) announceTest(world, account);
      return open.length > 0 ? { done: 'prueba' } : { refused: 'Ninguna cuenta tiene un webhook activo.' };
    },
    '/reiniciar': ({ confirmo }) => {
      if (confirmo !== 'si') return { refused: 'Marque «Sí, borrar todo» para reiniciar.' };
      reset();
      return { done: 'reinicio' };
    },
  };
}
