/** A fictional sale; the builder below writes it as a WooCommerce 11 shop would (per-line rounding). */
export interface Sale {
  id: number;
  buyer: {
    first: string;
    last: string;
    company?: string;
    city: string;
    address: string;
    email: string;
    phone: string;
  };
  meta?: Record<string, string>;
  payment: { id: string; title: string };
  status?: 'processing' | 'completed';
  pricesIncludeTax?: boolean;
  coupon?: { code: string; percent: number };
  lines: { sku: string; name: string; quantity: number; price: string; tax: keyof typeof taxes }[];
  shipping?: string;
}

/** The shop's tax table: class slug, rate row, percent; `exento` has no rate row at all. */
export const taxes = {
  iva15: { slug: '', rateId: 1, label: 'IVA 15%', percent: 15 },
  iva0: { slug: 'iva-0', rateId: 2, label: 'IVA 0%', percent: 0 },
  iva5: { slug: 'iva-5', rateId: 3, label: 'IVA 5%', percent: 5 },
  exento: { slug: 'exento', rateId: null, label: '', percent: 0 },
} as const;

/** What the shop's merchant says of it: no stated 5 % makes anything a construction material. */
export const taxPolicy = {
  // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
  rules: [{ name: 'materiales de construcción', when: { sku: 'CEM-*' }, then: { iva: 5 as const } }],
};

export const sales: Sale[] = [
  {
    id: 1201,
    buyer: {
      first: 'Lucía',
      last: 'Cevallos Mora',
      city: 'Quito',
      address: 'Calle Loja 123',
      email: 'lucia@example.ec',
      phone: '0987654321',
    },
    meta: { _billing_cedula: '1710034065' },
    payment: { id: 'bacs', title: 'Transferencia bancaria' },
    lines: [{ sku: 'CAM-001', name: 'Camiseta algodón «Ñandú»', quantity: 2, price: '12.50', tax: 'iva15' }],
    shipping: '4.35',
  },
  {
    id: 1202,
    buyer: {
      first: 'María José',
      last: 'Pérez Ñúñez',
      company: 'Comercial Andina S.A. & Hijos',
      city: 'Cuenca',
      address: 'Av. Solano 4-55',
      email: 'compras@example.ec',
      phone: '072821122',
    },
    meta: { _billing_ruc: '0190012344001' },
    payment: { id: 'payphone', title: 'Payphone' },
    coupon: { code: 'diez', percent: 10 },
    lines: [
      { sku: 'CAM-001', name: 'Camiseta algodón «Ñandú»', quantity: 3, price: '12.50', tax: 'iva15' },
      { sku: 'LIB-001', name: 'Libro: Historia del Ecuador', quantity: 1, price: '18.00', tax: 'iva0' },
      { sku: 'CEM-001', name: 'Cemento Portland 50kg', quantity: 7, price: '8.25', tax: 'iva5' },
      { sku: 'SRV-EX', name: 'Servicio exento', quantity: 1, price: '20.00', tax: 'exento' },
    ],
    shipping: '4.35',
  },
  {
    id: 1203,
    buyer: {
      first: 'Carlos',
      last: 'Andrade',
      city: 'Guayaquil',
      address: 'Malecón 100',
      email: 'carlos@example.ec',
      phone: '0991234567',
    },
    payment: { id: 'cod', title: 'Pago contra entrega' },
    status: 'completed',
    lines: [
      { sku: 'CHO-070', name: 'Chocolate 70% & nibs <amargo>', quantity: 4, price: '3.33', tax: 'iva15' },
    ],
  },
  {
    id: 1204,
    buyer: {
      first: 'Emma',
      last: 'Larsen',
      city: 'Baños de Agua Santa',
      address: 'Ambato y Halflants',
      email: 'emma@example.com',
      phone: '0998887766',
    },
    meta: {
      '_wc_billing/ecuador/tipo-identificacion': '06',
      '_wc_billing/ecuador/identificacion': 'DK4471203',
    },
    payment: { id: 'stripe', title: 'Tarjeta de crédito' },
    pricesIncludeTax: true,
    lines: [
      {
        sku: 'ZAP-38-N',
        name: 'Zapato escolar - 38, Negro',
        quantity: 1,
        price: '30.34782609',
        tax: 'iva15',
      },
      { sku: 'TOR-4D', name: 'Tornillo (4 decimales)', quantity: 120, price: '0.0375', tax: 'iva15' },
    ],
    shipping: '3.50',
  },
  {
    id: 1205,
    buyer: {
      first: 'Byron',
      last: 'Chicaiza Toapanta',
      city: 'Ambato',
      address: 'Av. Cevallos 08-21',
      email: 'byron@example.ec',
      phone: '0984445566',
    },
    meta: { billing_cedula: '1804567897' },
    payment: { id: 'ppcp-credit-card-gateway', title: 'Tarjeta (PayPal)' },
    status: 'completed',
    lines: [
      { sku: 'CUR-DIG', name: 'Curso digital', quantity: 1, price: '49.99', tax: 'iva15' },
      { sku: 'MUE-000', name: 'Muestra gratis', quantity: 1, price: '0.00', tax: 'iva15' },
    ],
  },
];

export const wooOrderIds: readonly string[] = sales.map((sale) => String(sale.id));
