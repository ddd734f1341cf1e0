import type { Group } from './message.ts';

/** Says only the type of the value. */
export interface Unread {
  platform?: string;
  problem?: string;
}

const because = (problem: string) => `${problem && `: ${problem}`}.`;

export const reading = {
  title: 'Datos que no se pueden leer',
  seen: 'En `plan`, y en el registro de líneas cuando una tienda los envía.',
  entries: {
    'not-an-order': [
      ({ platform = 'la tienda', problem = '', what = 'un pedido' }: Unread & { what?: string }) =>
        `Lo que llegó de ${platform} no es ${what}${because(problem)}`,
      'Entregue el JSON del pedido, y el de sus reembolsos junto a él, tal como lo da la plataforma (docs/cli.md, plan).',
    ],
    'order-unreadable': [
      ({ platform = 'la tienda', problem = '' }: Unread) =>
        `El pedido de ${platform} no se puede leer${because(problem)}`,
      'Corrija ese dato del pedido, o revise qué plugin o aplicación lo cambia.',
    ],
    'refund-of-another-order': [
      ({ refund, of, order }: { refund?: string; of?: string; order?: string | undefined }) =>
        refund === undefined
          ? 'El reembolso es de otro pedido.'
          : `El reembolso ${refund} es del pedido ${of} y se entregó con ${order === undefined ? 'otro pedido' : `el pedido ${order}`}.`,
      'Entregue solo los reembolsos de este pedido.',
    ],
  },
} satisfies Group;
