import type { Group } from './message.ts';

const asItCame = 'Entregue el JSON tal como lo da la plataforma (docs/cli.md, plan).';

/** PayloadError: bytes that are not what was expected. */
export const reading = {
  title: 'Datos que no se pueden leer',
  seen: 'En `plan`, y en el registro de líneas cuando una tienda los envía.',
  entries: {
    'not-an-order': ['No es un pedido de WooCommerce.', asItCame],
    'order-unreadable': [
      'Un dato del pedido de WooCommerce no se puede leer; la frase lo nombra.',
      'Corrija ese dato, o revise si un plugin cambia los pedidos de la API.',
    ],
    'not-refunds': ['No son reembolsos de WooCommerce, o un dato suyo no se puede leer.', asItCame],
    'refund-of-another-order': ['El reembolso es de otro pedido.', 'Entregue solo los de este.'],
    'shopify-not-an-order': ['No es un pedido de Shopify.', asItCame],
    'shopify-order-unreadable': [
      'Un dato del pedido de Shopify no se puede leer; la frase lo nombra.',
      'Entregue el pedido tal como lo da Shopify, o revise qué aplicación cambia ese dato.',
    ],
    'shopify-not-refunds': ['No son reembolsos de Shopify, o un dato suyo no se puede leer.', asItCame],
    'shopify-refund-without-order': ['El reembolso no trae su pedido, o no se puede leer.', asItCame],
    'shopify-refund-of-another-order': ['El reembolso es de otro pedido.', 'Entregue solo los de este.'],
    'order-identity': [
      'La tienda respondió con otro pedido, o con el de otra tienda; no se guardó nada.',
      'Revise url y los plugins de la tienda.',
    ],
  },
} satisfies Group;
