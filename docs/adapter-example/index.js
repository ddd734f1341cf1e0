import { definePlatform } from 'facturapuente';
import { z } from 'zod';
import { readOrder, readRefunds } from './order.js';
import { receive } from './receive.js';
import { openShop } from './shop.js';

/** `stores.<id>.connection` in the config; its sentences are read by the merchant. */
const connection = z.strictObject({
  url: z
    .url('«url» es la dirección de la tienda, por ejemplo https://mitienda.ec.')
    .transform((url) => url.replace(/\/+$/, '')),
  token: z.string().min(16, '«token» es la clave de la API de la tienda.'),
  /** The newest first; two while it is changed. */
  webhookSecrets: z.array(z.string().min(16)).min(1, 'Falta el secreto de los webhooks en «webhookSecrets».'),
});

export const tiendaPropia = definePlatform({
  name: 'tienda-propia',
  title: 'Tienda propia',
  bodyLimit: 64 * 1024,
  connection,
  // Every store has an address of its own for webhooks: /webhooks/<store>.
  app: null,
  appOf: () => null,
  // Where it is. Documents are known by the first address for ever; `identity` tells that a shop has moved.
  shopOf: ({ url }) => url,
  receive: async (delivery, endpoint) => receive(delivery, endpoint.connection),
  readOrder,
  readRefunds,
  openShop: ({ connection: settings }, context) => openShop(settings, context),
  unstatedFacts: () => ['rateId', 'taxClass', 'tag', 'collection'],
  demoConnection: () =>
    connection.parse({
      url: 'https://tienda.example.ec',
      token: 'clave-de-demostracion',
      webhookSecrets: ['secreto-de-demostracion'],
    }),
});
