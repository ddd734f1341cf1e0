import { free, type HttpOperation, onward, page } from './operation.ts';

const linkAnswers = {
  404: page('No such link.'),
  304: { says: 'A file that is the same as the copy of whoever asks.' },
  410: page('The shop revoked it, or its time is over.'),
  429: page('Too many wrong links from one client, or a genuine one opened too often.'),
  503: page('Not authorised yet, or not to be had at the moment; `Retry-After` says when.'),
};
const document = (ending: string, summary: string, type: string): HttpOperation => ({
  method: 'get',
  path: `/d/:token${ending}`,
  tag: 'Buyers',
  summary,
  access: 'link',
  within: '/d/:rest',
  answers: { 200: { says: 'It.', type }, ...linkAnswers },
});

const identificationForm = {
  type: 'application/x-www-form-urlencoded',
  says: 'Whom the document is to name.',
  fields: {
    tipo: '`cedula`, `ruc`, `pasaporte` or `exterior`.',
    identificacion: 'The number.',
    nombre: 'The name.',
    correo: 'Where to send it; may be empty.',
  },
};
const tooOften = page('Too many wrong links from one client, or too often about one question.');

/** Pages for buyers and merchants, behind links that are signed. */
export const buyerDoors: readonly HttpOperation[] = [
  document('', 'The page around an authorised document', 'text/html'),
  document('.pdf', 'Its PDF', 'application/pdf'),
  document('.xml', 'Its XML, as authorised', 'application/xml'),
  {
    method: 'get',
    path: '/identificacion/:token',
    tag: 'Buyers',
    summary: 'The form for the buyer of a held order, or where his document stands',
    access: 'link',
    answers: {
      200: page('The form.'),
      404: page('No such link.'),
      410: page('The link is over.'),
      429: tooOften,
    },
  },
  {
    method: 'post',
    path: '/identificacion/:token',
    tag: 'Buyers',
    summary: 'His answer',
    access: 'link',
    takes: identificationForm,
    answers: {
      303: onward('Taken; the same address tells how the document fares.'),
      422: page('The form again, with what is wrong.'),
      404: page('No such link.'),
      410: page('The link is over.'),
      429: tooOften,
    },
  },
  {
    method: 'post',
    path: '/identificacion/:token/nombre',
    tag: 'Buyers',
    summary: 'The registry’s name of a number, where the store allows it',
    access: 'link',
    internal: true,
    takes: identificationForm,
    answers: {
      200: free('`nombre`, or null.'),
      404: page('No such link.'),
      410: page('The link is over.'),
      429: tooOften,
    },
  },
  {
    method: 'get',
    path: '/paginas/:name',
    tag: 'Buyers',
    summary: 'Styles, scripts and pictures of the pages',
    access: 'none',
    internal: true,
    answers: { 200: { says: 'It.', type: 'text/plain' }, 404: { says: 'There is none.' } },
  },
];

/** Pages each platform brings for connecting a shop. */
export const connectingDoors: readonly HttpOperation[] = [
  {
    method: 'get',
    path: '/woocommerce/connect',
    tag: 'Shops',
    summary: 'The link `install` shows for one store: a form, then on to the shop',
    access: 'ticket',
    answers: { 200: page('The form.'), 403: page('Not, or no longer, a link of `install` for this store.') },
  },
  {
    method: 'post',
    path: '/woocommerce/connect',
    tag: 'Shops',
    summary: 'On to the shop’s own page, where the merchant approves',
    access: 'ticket',
    answers: {
      303: onward('To the shop.'),
      403: page('Not, or no longer, a link of `install` for this store.'),
      409: page('The store cannot be connected this way; the page says why.'),
    },
  },
  {
    method: 'post',
    path: '/woocommerce/keys',
    tag: 'Shops',
    summary: 'The shop hands over its keys',
    access: 'link',
    takes: { type: 'application/json', says: 'As WooCommerce’s auth endpoint sends them.' },
    answers: {
      200: { says: 'Kept; in use once the shop has answered to them.', type: 'text/plain' },
      403: { says: 'Nobody asked for them.', type: 'text/plain' },
      409: { says: 'They do not open the shop, or may not write.', type: 'text/plain' },
    },
  },
  {
    method: 'get',
    path: '/woocommerce/connected',
    tag: 'Shops',
    summary: 'Where the merchant comes back to: what happened, and what is left to do',
    access: 'link',
    answers: { 200: page('It.'), 403: page('Not an attempt of ours.') },
  },
  {
    method: 'get',
    path: '/shopify/auth',
    tag: 'Shops',
    summary: 'Begins installing an app that many merchants use',
    access: 'signature',
    answers: {
      200: page('Installed already; there is nothing to do.'),
      302: onward('To Shopify, where the merchant approves.'),
      400: page('No shop is named.'),
      404: page('No app of ours to install.'),
    },
  },
  {
    method: 'get',
    path: '/shopify/auth/callback',
    tag: 'Shops',
    summary: 'Shopify brings the merchant back',
    access: 'signature',
    answers: {
      200: page('Connected; the page says what is left to do.'),
      401: page('Not what was begun here, or not from Shopify.'),
      502: page('Shopify could not be asked; begin again.'),
    },
  },
];
