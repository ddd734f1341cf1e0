import type { DeedOutcome } from '../../../ledger/deeds.ts';
import { inBoth } from '../words.ts';

const outcomes: Record<DeedOutcome, string> = {
  done: 'hecho',
  nothing: 'sin cambios',
  refused: 'rechazado',
  failed: 'falló',
};

/** What is written down, by its code; a code of a later version stands for itself. */
const whats: Readonly<Record<string, string>> = {
  'sign-in': 'Entrada al panel',
  'sign-out': 'Salida del panel',
  'not-allowed': 'Intento sin permiso',
  retry: 'Intentar otra vez',
  reprocess: 'Reprocesar en el SRI',
  identify: 'Dar la identificación',
  'mail-buyer': 'Enviar el enlace al comprador',
  adopt: 'Dar la clave de acceso',
  'revoke-links': 'Anular enlaces',
  'probe-account': 'Probar la cuenta',
  'clear-alert': 'Aviso revisado',
  'buyer-answered': 'Datos entregados al comprador',
  reseal: 'Proteger con la clave nueva',
  'store-add': 'Registrar una tienda',
  'store-remove': 'Quitar una tienda',
  close: 'Cierre del día',
  export: 'Exportar un mes',
};

export const deedWords = inBoth(
  {
    nav: 'Registro',
    title: 'Quién hizo qué',
    lead: 'Lo que las personas hicieron en el panel y en la línea de comandos, lo más nuevo primero. No guarda datos de compradores.',
    subjectIs: 'sobre',
    order: (name: string) => `pedido ${name}`,
    nobody: 'usuario desconocido',
    whats,
    outcomes,
    older: 'Ver anteriores',
    newest: 'Ir a lo más nuevo',
    empty: 'Todavía no hay nada más que mostrar.',
  },
  {
    nav: 'Audit log',
    title: 'Who did what',
    lead: 'What people did in the panel and on the command line, the newest first. It holds no buyers’ data.',
    subjectIs: 'about',
    order: (name: string) => `order ${name}`,
    nobody: 'unknown user',
    whats: {
      'sign-in': 'Signing in',
      'sign-out': 'Signing out',
      'not-allowed': 'Attempt without permission',
      retry: 'Try again',
      reprocess: 'Reprocess at the SRI',
      identify: 'Give the identification',
      'mail-buyer': 'Mail the buyer the link',
      adopt: 'Give the access key',
      'revoke-links': 'Revoke links',
      'probe-account': 'Probe the account',
      'clear-alert': 'Alert looked at',
      'buyer-answered': 'Data handed to the buyer',
      reseal: 'Seal under the new key',
      'store-add': 'Register a store',
      'store-remove': 'Take a store away',
      close: 'Close of the day',
      export: 'Export of a month',
    },
    outcomes: { done: 'done', nothing: 'no change', refused: 'refused', failed: 'failed' },
    older: 'Show older',
    newest: 'Go to the newest',
    empty: 'There is nothing more to show yet.',
  },
);
