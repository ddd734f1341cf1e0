// Una tienda WooCommerce de juguete para el tutorial: cada Enter vende una camiseta. Se detiene con Ctrl+C.
import { createInterface } from 'node:readline';
import { openWooCommerceShop } from 'facturapuente-sandbox/shops';

const say = (line) => process.stdout.write(`${line}\n`);

const shop = await openWooCommerceShop({
  port: 4020,
  orders: [],
  consumerKey: 'ck_tutorial',
  consumerSecret: 'cs_tutorial',
});
say(`Tienda en ${shop.url}. Enter vende una camiseta de 23.00 dólares.`);

let number = 1000;
createInterface({ input: process.stdin }).on('line', () => {
  number += 1;
  shop.put(order(number));
  shop.happened('order.created', number);
  say(`Pedido ${number}: pagado.`);
});

// WordPress envía sus webhooks cuando alguien visita la tienda; aquí, cada segundo.
const told = new Set();
setInterval(async () => {
  await shop.visit();
  for (let id = 1001; id <= number; id += 1)
    for (const { note } of shop.notes(id)) {
      if (told.has(note)) continue;
      told.add(note);
      say(`Nota en el pedido ${id}: ${note}`);
    }
}, 1000);

function order(id) {
  const now = new Date().toISOString().slice(0, 19);
  const taxes = [{ id: 1, total: '3.00', subtotal: '3.00' }];
  return {
    id,
    number: String(id),
    status: 'processing',
    currency: 'USD',
    version: '11.0.1',
    prices_include_tax: false,
    date_created: now,
    date_created_gmt: now,
    date_modified: now,
    date_modified_gmt: now,
    date_paid: now,
    date_paid_gmt: now,
    discount_total: '0.00',
    discount_tax: '0.00',
    shipping_total: '0.00',
    shipping_tax: '0.00',
    cart_tax: '3.00',
    total: '23.00',
    total_tax: '3.00',
    payment_method: 'bacs',
    payment_method_title: 'Transferencia bancaria',
    customer_note: '',
    billing: {
      first_name: 'Lucía',
      last_name: 'Cevallos Mora',
      company: '',
      address_1: 'Calle Loja 123',
      address_2: '',
      city: 'Quito',
      state: 'EC-P',
      postcode: '170150',
      country: 'EC',
      email: 'lucia@example.ec',
      phone: '0987654321',
    },
    meta_data: [{ id: id * 10, key: '_billing_cedula', value: '1710034065' }],
    line_items: [
      {
        id: id * 10,
        name: 'Camiseta de algodón',
        product_id: 11,
        variation_id: 0,
        quantity: 1,
        tax_class: '',
        subtotal: '20.00',
        subtotal_tax: '3.00',
        total: '20.00',
        total_tax: '3.00',
        taxes,
        meta_data: [],
        sku: 'CAM-001',
        price: 20,
      },
    ],
    tax_lines: [
      {
        id: id * 10 + 1,
        rate_code: 'EC-IVA 15%-1',
        rate_id: 1,
        label: 'IVA 15%',
        compound: false,
        tax_total: '3.00',
        shipping_tax_total: '0.00',
        rate_percent: 15,
        meta_data: [],
      },
    ],
    shipping_lines: [],
    fee_lines: [],
    coupon_lines: [],
    refunds: [],
  };
}
