/** A part of docs/config.md: the settings whose paths begin like one of `holds`, unless an earlier part has them. */
export interface ConfigSection {
  title: string;
  message: string;
  holds: readonly string[];
  /** What all its paths but the first begin with, said once. */
  under?: string;
  /** Accepted by the config as it stands, beside what every config needs (test/docs/config.test.ts). */
  example?: string;
}

export const configSections: readonly ConfigSection[] = [
  {
    title: 'Accounts of the service',
    message: 'An account is one API key of the tax document service, with one rate limit.',
    under: 'accounts.<id>',
    holds: ['accounts'],
    example: `
accounts:
  principal:
    baseUrl: https://servicio.example.ec
    apiKeys: ["\${FACTURA_API_KEY_NEW}", "\${FACTURA_API_KEY}"]    # while a key is rotated; else apiKey
    webhookSecrets: ["\${FACTURA_WEBHOOK_SECRET}"]`,
  },
  {
    title: 'Issuers',
    message: `The issuer's data on every document. \`npx facturapuente install\` registers them at the service.

\`regimen_rimpe_popular: true\` says that the issuer is a RIMPE negocio popular: a natural person who issues notas de venta, without
IVA, for the activities of that regime, and facturas for others alone. Nothing is held for it; \`init\`, \`install\` and \`doctor\` warn
(\`rimpe-popular\`), also of a RUC that looks like a company's, which cannot be one. The RUC says which
activities belong to the regime: what the shop sells of them must not be issued with facturapuente.`,
    under: 'issuers.<id>',
    holds: ['issuers'],
    example: `
issuers:
  mi-empresa:
    account: principal
    ambiente: 1
    ruc: "1790012345001"
    razon_social: Mi Empresa Cía. Ltda.
    nombre_comercial: Mi Tienda
    direccion_matriz: Av. Amazonas N34-451, Quito
    direccion_establecimiento: Av. Amazonas N34-451, Quito
    obligado_contabilidad: SI
    signature: { file: firma.p12, passwordEnv: FIRMA_PASSWORD }
    logo: logo.png`,
  },
  {
    title: 'What becomes of tax',
    message:
      "Rules classify an item by the shop's data; for each part the first match decides ([taxes.md](taxes.md)).",
    under: 'stores.<id>.policy.tax',
    holds: ['stores.<id>.policy.tax'],
    example: `
stores:
  tienda:
    policy:
      tax:
        rules:
          - { when: { sku: "LIB-*" }, then: { iva: 0 } }
          - { name: Perfumes, when: { tag: perfume }, then: { ice: { codigo: 3610, tarifa: 20 } } }
          - { when: { kind: shipping, untaxed: true }, then: { iva: 0 } }
          - { name: Cemento, when: { sku: "CEM-*", rate: 5 }, then: { iva: 5 } }
          - { name: Exportación, when: { abroad: true, kind: [product, shipping], untaxed: true }, then: { iva: 0 } }
    connection: { productDetails: true }`,
  },
  {
    title: 'What a merchant decides',
    message: 'The policy of a store; the defaults suit a plain Ecuadorian shop.',
    under: 'stores.<id>.policy',
    holds: ['stores.<id>.policy'],
    example: `
stores:
  tienda:
    policy:
      finalConsumer: { limit: "30.00" }
      payments: { mi-banco: "20", credito: { tipo: "19", plazo: 3, tiempo: meses } }
      additionalInfo:
        - { name: Pedido, value: "{order}" }
        - { name: Entrega, value: "{attribute.entrega}" }`,
  },
  {
    title: 'Stores',
    message: '`facturapuente store add` keeps a store in the ledger instead, without a restart.',
    under: 'stores.<id>',
    holds: ['stores'],
    example: `
stores:
  tienda:
    platform: woocommerce
    issuer: mi-empresa
    series: { establecimiento: "001", puntoEmision: "001", first: 1 }
    invoiceFrom: 2026-11-01
    connection: { url: https://mitienda.ec }`,
  },
  {
    title: 'Apps',
    message: 'Only for platforms whose webhooks belong to an app: Shopify.',
    under: 'apps.<id>',
    holds: ['apps'],
  },
  {
    title: 'Where it lies and runs',
    message: 'One process on SQLite needs only `publicUrl`; [scaling.md](scaling.md) says when to change.',
    holds: [
      '$schema',
      'publicUrl',
      'port',
      'secret',
      'oldSecrets',
      'ledger',
      'redis',
      'worker',
      'platforms',
      'testClock',
    ],
    example: `
publicUrl: https://facturas.mitienda.ec
port: 8080
ledger: { url: "postgresql://facturas@db.example.ec/facturas" }
secret: \${FACTURAPUENTE_SECRET}
redis: { url: "rediss://redis.example.ec" }`,
  },
  {
    title: 'Monitoring, notifications, people',
    message: 'Monitoring and notifications; nothing here affects an order.',
    holds: [''],
    example: `
log: { level: warn }
metrics: { port: 9464 }
mail: { url: "smtps://usuario:clave@correo.example.ec:465", from: "Mi Tienda <facturas@mitienda.ec>" }
notify: { alertsTo: [ana@mitienda.ec] }`,
  },
];
