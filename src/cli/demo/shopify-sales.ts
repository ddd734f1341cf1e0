/** A fictional sale; shopify-orders.ts writes it as Shopify's 2026 webhooks do. */
export interface Sale {
  number: number;
  buyer: {
    first: string;
    last: string;
    company?: string;
    city: string;
    address: string;
    email: string;
  } | null;
  noteAttributes?: { name: string; value: string }[];
  /** What the checkout's own field holds; only the Admin API shows it. */
  taxCredential?: string;
  gateways: { gateway: string; amount?: string }[];
  taxesIncluded: boolean;
  /** Percent off every line, as a discount code across the order. */
  discount?: { code: string; percent: number };
  lines: { sku: string; title: string; quantity: number; price: string; rate: string | null }[];
  shipping?: string;
}

export const sales: Sale[] = [
  {
    number: 1001,
    buyer: {
      first: 'Lucía',
      last: 'Cevallos',
      city: 'Quito',
      address: 'Av. Amazonas N34-451',
      email: 'lucia@example.ec',
    },
    noteAttributes: [{ name: 'Cédula', value: '1711223345' }],
    gateways: [{ gateway: 'payphone' }],
    taxesIncluded: false,
    discount: { code: 'PROMO10', percent: 10 },
    lines: [
      { sku: 'CAFE-250', title: 'Café de altura 250 g', quantity: 3, price: '7.25', rate: '0.15' },
      { sku: 'TAZA-01', title: 'Taza de cerámica', quantity: 1, price: '11.90', rate: '0.15' },
    ],
    shipping: '3.50',
  },
  {
    number: 1002,
    buyer: {
      first: 'Andrea',
      last: 'Vélez',
      company: 'Importadora del Pacífico S.A.',
      city: 'Guayaquil',
      address: 'Av. 9 de Octubre 100',
      email: 'compras@example.ec',
    },
    taxCredential: '0992345678001',
    gateways: [{ gateway: 'shopify_payments' }],
    taxesIncluded: true,
    lines: [
      { sku: 'MOCHILA', title: 'Mochila impermeable', quantity: 2, price: '59.99', rate: '0.15' },
      { sku: 'TERMO-1L', title: 'Termo 1 L', quantity: 1, price: '24.50', rate: '0.15' },
    ],
    shipping: '5.00',
  },
  {
    number: 1003,
    buyer: {
      first: 'Diego',
      last: 'Mena Ruiz',
      city: 'Loja',
      address: 'Calle Bolívar 12-34',
      email: 'diego@example.ec',
    },
    noteAttributes: [{ name: 'RUC o cédula', value: '110987654-8' }],
    gateways: [
      { gateway: 'gift_card', amount: '20.00' },
      { gateway: 'payphone', amount: '49.00' },
    ],
    taxesIncluded: true,
    lines: [{ sku: 'CHOMPA-M', title: 'Chompa de lana M', quantity: 1, price: '69.00', rate: '0.15' }],
  },
  {
    number: 1004,
    buyer: {
      first: 'Gabriela',
      last: 'Tapia',
      company: 'Librería Andes',
      city: 'Riobamba',
      address: 'Primera Constituyente 22-10',
      email: 'gaby@example.ec',
    },
    noteAttributes: [{ name: 'RUC', value: '0601122336001' }],
    gateways: [{ gateway: 'Bank Deposit' }],
    taxesIncluded: false,
    lines: [
      { sku: 'CUAD-100', title: 'Cuaderno 100 hojas', quantity: 12, price: '1.35', rate: '0' },
      { sku: 'PLUMA-G', title: 'Esferográfico gel', quantity: 24, price: '0.8333', rate: '0.15' },
    ],
    shipping: '3.50',
  },
  {
    number: 1005,
    buyer: null,
    gateways: [{ gateway: 'cash' }],
    taxesIncluded: true,
    lines: [{ sku: 'JABON', title: 'Jabón artesanal', quantity: 2, price: '3.27', rate: '0.15' }],
  },
];
