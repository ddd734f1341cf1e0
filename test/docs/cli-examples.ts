/** An example of a command in docs/cli.md. */
export interface CliExample {
  /** As typed in a shell. */
  run: string;
  /** What it prints, or the telling part of it; `…` stands for what differs each time. */
  message?: string;
  code: number;
  about?: string;
  /** Where it is tried, if not on the stage of test/docs/cli.test.ts. */
  triedBy?: string;
  /** What is typed into it. */
  input?: string;
}

/** By command, in the order in which the stage runs them: 1201 is refused by the service, 1202 is authorised. */
export const cliExamples: Readonly<Record<string, CliExample>> = {
  init: {
    run: `npx facturapuente init --yes --platform woocommerce --shop-url https://mitienda.ec \\
  --ruc 1790012345001 --razon-social "Mi Empresa Cía. Ltda." --nombre-comercial "Mi Tienda" \\
  --direccion "Av. Amazonas N34-451, Quito" --obligado-contabilidad SI \\
  --service-url https://servicio.example.ec --public-url https://facturas.mitienda.ec`,
    code: 0,
    triedBy: 'test/journeys/tutorial.test.ts',
    about: 'Without `--yes` it asks for every value that no option gives.',
  },
  start: {
    run: 'npx facturapuente start',
    code: 0,
    triedBy: 'test/journeys/paid-order.test.ts',
    about: 'SIGTERM finishes running jobs (20 s), releases the rest and exits with 0.',
  },
  sandbox: {
    run: 'npx facturapuente sandbox --allow-loopback-webhooks --strict',
    code: 0,
    triedBy: 'test/sandbox/cli.test.ts',
    about: 'Reference: [sandbox.md](sandbox.md).',
  },
  demo: { run: 'npx facturapuente demo --json', code: 0, triedBy: 'test/cli/demo.test.ts' },
  plan: {
    run: 'npx facturapuente plan --platform woocommerce pedido.json',
    message: `Pedido #1203 por 15.32 USD
  factura: emitir. El pedido está pagado y se factura por el total cobrado.
…`,
    code: 0,
    about: '`pedido.json` is the answer of `/wp-json/wc/v3/orders/1203`.',
  },
  rehearse: {
    run: 'npx facturapuente rehearse --since 30d',
    message: `Ensayo de la tienda «tienda», del … al …. Nada se envió.
De 5 pedidos que llevan factura, 5 (100 %) se facturarían solos por USD 283,26.
…
El informe está en …/ensayo-tienda.html; ábralo con su navegador.`,
    code: 0,
    about: 'The report: [rehearsal.md](rehearsal.md).',
  },
  install: {
    run: 'npx facturapuente install --check',
    message: `Servicio de comprobantes, cuenta «cuenta»:
  ✔ listo  Clave de API
  ✔ listo  Créditos (100)
  ✘ distinto  Webhook del servicio
      Debe ir a https://facturas.mitienda.ec/service/webhook/cuenta con el secreto de la configuración.
…
A la tienda le faltan 4 cosas; «facturapuente install --store tienda» hace lo que se puede hacer desde aquí.`,
    code: 1,
  },
  uninstall: {
    run: 'npx facturapuente uninstall --store tienda',
    code: 0,
    triedBy: 'test/journeys/woocommerce-install.test.ts',
  },
  doctor: {
    run: 'npx facturapuente doctor',
    message: `…
Avisos pendientes:
  ! aviso  Pedido #1201: la factura 001-001-000000001 fue rechazada. El servicio de facturación no aceptó la factura: Error interno del servidor. (desde …)
      Vea el pedido en el panel o con «facturapuente explain»; corregida la causa, el documento sigue.
…
Hay problemas: resuélvalos y repita.`,
    code: 2,
    about: 'Exit code 0: all is well, 1: warnings, 2: problems.',
  },
  documents: {
    run: 'npx facturapuente documents',
    message: `│ Tienda │ Pedido │ Cobrado │ Número            │ Estado                  │ Motivo                                                     │
├────────┼────────┼─────────┼───────────────────┼─────────────────────────┼────────────────────────────────────────────────────────────┤
│ tienda │ #1202  │  132.59 │ 001-001-000000002 │ autorizada y verificada │                                                            │
│ tienda │ #1201  │   33.75 │ 001-001-000000001 │ rechazada               │ El servicio de facturación no aceptó la factura: Error     │
│        │        │         │                   │                         │ interno del servidor.                                      │`,
    code: 0,
  },
  explain: {
    run: "npx facturapuente explain '#1201'",
    message: `Pedido #1201 por 33.75 USD, tienda tienda, leído …
Lo que corresponde
  factura: emitir. El pedido está pagado y se factura por el total cobrado.
    cobrado 33.75, documento 33.75, diferencia 0.00
    Comprador
      cédula (05), de «meta _billing_cedula»; nombre: el de la persona en el pedido
    Impuesto de cada línea
      Camiseta algodón «Ñandú»: IVA 15 % (código 4) por «tarifa de la tienda»; bien por «dato de la tienda»; tienda 25.00 + 3.75, documento 25.00
…
Factura 001-001-000000001: rechazada (…)
  El servicio de facturación no aceptó la factura: Error interno del servidor.
…
  Envío 1, …: no aceptado. Error interno del servidor.
Nada más ocurre por sí solo: la factura (rechazada) espera a que una persona haga lo que dice su motivo.`,
    code: 0,
  },
  'alerts list': {
    run: 'npx facturapuente alerts',
    message: `…Pedido #1201: la factura 001-001-000000001 fue rechazada. El servicio de facturación no aceptó la factura: Error interno del servidor.
  Vea el pedido en el panel o con «facturapuente explain»; corregida la causa, el documento sigue.
  document-rejected …, desde …`,
    code: 0,
  },
  'alerts clear': {
    run: 'npx facturapuente alerts clear document-rejected abc',
    message: `El aviso document-rejected termina solo cuando termina su causa.`,
    code: 1,
    about:
      'Only what a person alone can end is cleared by hand: `document-differs`, `document-annulled`, `dropped-authorized`, `answers-mixed-up`, `ledger-older-than-service`, `shop-uninstalled`, `shop-without-store`, `shop-clock-back`, `webhooks-not-stored`. `order-unread` ends by itself once the order is read, and is cleared when the shop deleted the order. Clearing `job-held` gives the job another try.',
  },
  law: {
    run: 'npx facturapuente law --on 2026-12-24',
    message: `Vigente el 2026-12-24

IVA (tabla 17)
…
Lo que cambia después
  2026-12-25  solo ese día: 2026-12-25 Navidad (Feriados nacionales)
…`,
    code: 0,
  },
  error: {
    run: 'npx facturapuente error buyer-id-missing',
    message: `buyer-id-missing (Documentos que esperan a una persona)
  Falta cédula, RUC o pasaporte y el total no permite consumidor final.
  Qué hacer: Pida la identificación al comprador, con el enlace que dan el panel y «facturapuente identification-link», y escríbala en el pedido o en el panel.`,
    code: 0,
    about: 'All of them: [errors.md](errors.md).',
  },
  pending: {
    run: 'npx facturapuente pending',
    message: `Pedido #1201: la factura 001-001-000000001 fue rechazada. …`,
    code: 0,
  },
  document: {
    run: 'npx facturapuente document 001-001-000000002',
    message: `state: authorized`,
    code: 0,
  },
  'sync-order': {
    run: "npx facturapuente sync-order '#1202'",
    message: `El pedido #1202 se lee otra vez y lo que le corresponde se emite enseguida; «facturapuente explain» muestra el resultado.`,
    code: 0,
  },
  accept: {
    run: 'npx facturapuente accept 001-001-000000002',
    message: `Ese documento no espera que nadie acepte lo que dice la tienda: use «facturapuente retry».`,
    code: 1,
    about:
      'A hold that waits for this says so, with what to compare first: an id that was used again, a total that changed after the payment, a key of another sale, an order split from another.',
  },
  'new-number': {
    run: 'npx facturapuente new-number 001-001-000000002',
    message: `Ese documento ya terminó; no hay nada que repetir.`,
    code: 1,
    about:
      'Only for a document whose number may be used already and that nobody finds: [exactly-once.md](exactly-once.md#why).',
  },
  reprocess: {
    run: 'npx facturapuente reprocess 001-001-000000002',
    message: `Solo se reprocesa un documento rechazado que ya tiene clave de acceso.`,
    code: 1,
  },
  'ask-buyer': {
    run: 'npx facturapuente ask-buyer 001-001-000000002',
    message: `No hay un servidor de correo configurado (mail.url): copie el enlace y envíelo usted.`,
    code: 1,
  },
  identify: {
    run: "npx facturapuente identify 001-001-000000002 --type cedula --id 1710034065 --name 'Ana Torres'",
    message: `Ese pedido ya no espera la identificación de su comprador.`,
    code: 1,
  },
  'probe-account': {
    run: 'npx facturapuente probe-account cuenta',
    message: `Esa cuenta ya no está en pausa.`,
    code: 1,
  },
  retry: {
    run: 'npx facturapuente retry 001-001-000000001',
    message: `Se envía otra vez con su mismo número, 001-001-000000001.`,
    code: 0,
  },
  adopt: {
    run: 'npx facturapuente adopt 001-001-000000002 2111202601179001234500110010010000000021234567813',
    message: `El documento ya está autorizado con la clave ….`,
    code: 1,
    about: 'This document is already authorised, so there is nothing to adopt.',
  },
  'links revoke': {
    run: 'npx facturapuente links revoke 001-001-000000002',
    message: `Los enlaces entregados ya no sirven.`,
    code: 0,
    about: 'The new ones are written onto the order; `links show` prints them.',
  },
  'links show': {
    run: 'npx facturapuente links show 001-001-000000002',
    message: `Documento 001-001-000000002 del pedido #1202
Página: https://facturas.mitienda.ec/d/…
PDF:    https://facturas.mitienda.ec/d/….pdf
XML:    https://facturas.mitienda.ec/d/….xml`,
    code: 0,
  },
  'identification-link': {
    run: "npx facturapuente identification-link '#1202'",
    message: `El pedido #1202 no espera la identificación de su comprador; «facturapuente documents --state held» muestra los que esperan. …`,
    code: 1,
    about: 'For an order that waits for its buyer, it prints the link and a text to send.',
  },
  'store add': {
    run: 'npx facturapuente store add otra-tienda.yaml',
    message: `La tienda «otra-tienda» quedó registrada; los procesos en marcha la toman en unos segundos.`,
    code: 0,
    about:
      'The file has the sections `stores`, `issuers` and `accounts` of [config.md](config.md), for one store.',
  },
  'store confirm': {
    run: 'npx facturapuente store confirm tienda --as moved',
    message: 'La tienda «tienda» no está retenida.',
    code: 1,
    about:
      'A shop is held, with an alert, when the one that answers is not the one the ledger knows ([exactly-once.md](exactly-once.md)). The alert says which of the three answers fit.',
  },
  'store list': {
    run: 'npx facturapuente store list',
    message: `tienda  woocommerce  …  RUC 1790012345001  ambiente 1  configuración
otra-tienda  woocommerce  https://otra.example.ec  RUC 1790012345001  ambiente 1  store add`,
    code: 0,
  },
  'store remove': {
    run: 'npx facturapuente store remove otra-tienda',
    message: `La tienda «otra-tienda» ya no se factura; sus comprobantes siguen en el registro.`,
    code: 0,
  },
  'privacy list': {
    run: 'npx facturapuente privacy list',
    message: 'Ningún comprador pidió nada…',
    code: 0,
  },
  'privacy export': {
    run: 'npx facturapuente privacy export 7',
    message: `No hay ninguna solicitud 7; «privacy list» las muestra. …`,
    code: 1,
    about: 'With a number from `privacy list`, it writes the file.',
  },
  'privacy erase': {
    run: 'npx facturapuente privacy erase --store tienda --email nadie@example.ec',
    message: 'No se borró nada: ningún pedido guardado es de ese comprador.',
    code: 1,
    about: 'What is erased and what the law keeps: [privacy.md](privacy.md).',
  },
  reencrypt: {
    run: 'npx facturapuente reencrypt',
    message: `Se protegieron con la clave nueva 0 datos; cuando todos los procesos la usen, puede quitar oldSecrets.`,
    code: 0,
  },
  'support-bundle': {
    run: "npx facturapuente support-bundle '#1202'",
    message: `…/soporte-1202.json: sin nombres, identificaciones, direcciones ni claves. «facturapuente plan …/soporte-1202.json» repite sus montos; lo que se decidió de la identificación está en el archivo (decision).`,
    code: 0,
  },
  'hash-password': {
    run: 'npx facturapuente hash-password',
    message: `scrypt:15:8:3:…:…`,
    code: 0,
    input: 'una clave bien larga',
  },
  'reset-second-factor': {
    run: 'npx facturapuente reset-second-factor carla',
    message: 'carla no tiene verificación en dos pasos.',
    code: 1,
    about: 'Exit code 0 if the user had one: [panel.md](panel.md#la-verificación-en-dos-pasos).',
  },
  close: {
    run: 'npx facturapuente close --date 2026-11-20 --save',
    code: 0,
    triedBy: 'test/cli/close.test.ts',
    about:
      '0 if the day adds up, 1 if it does not, 2 if a shop or the service did not answer or a shop cannot be asked. What it prints, and how to verify it: [accounting.md](accounting.md).',
  },
  'verify-closes': {
    run: 'npx facturapuente verify-closes',
    message: `No hay cierres guardados.`,
    code: 0,
  },
  export: {
    run: 'npx facturapuente export --month 2026-11 --out noviembre.zip',
    code: 0,
    triedBy: 'test/cli/close.test.ts',
    about:
      '0 if everything is in the archive, 1 if files are missing. What it holds: [accounting.md](accounting.md).',
  },
  'lint-catalog': {
    run: 'npx facturapuente lint-catalog',
    message: 'Tienda «tienda»: se revisaron … productos; todos tienen un impuesto que se puede facturar.',
    code: 0,
    about: 'It exits with 1 if a product has none, and names the missing rule.',
  },
  mcp: {
    run: 'npx facturapuente mcp --new-token',
    message: `Token, que no se vuelve a mostrar: fpmcp_…
En la configuración: mcp: { tokens: { asistente: … } }`,
    code: 0,
    about: 'Without `--new-token` it serves an assistant: [mcp.md](mcp.md).',
  },
  sync: {
    run: 'npx facturapuente sync',
    message: 'tienda: …',
    code: 0,
    about: 'A running `start` reconciles by itself, at its interval.',
  },
  move: {
    run: 'npx facturapuente move --to "$DATABASE_URL"',
    code: 0,
    triedBy: 'test/journeys/move.long.test.ts',
    about: 'Details: [scaling.md](scaling.md).',
  },
  conformance: {
    run: 'npx facturapuente conformance --base-url http://127.0.0.1:4010 --api-key clave-de-prueba',
    code: 0,
    triedBy: 'test/cli/conformance.test.ts',
    about: 'Exit code 0: nothing differs, 1: something differs, 2: the service could not be reached.',
  },
};
