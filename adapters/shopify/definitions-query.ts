/* The definitions of our metafields on orders (API 2026-10). They need no scope beside those of the orders. */

export const definitionsQuery = `query FacturapuenteDefinitions {
  metafieldDefinitions(first: 50, ownerType: ORDER, namespace: "$app:facturapuente") {
    nodes { key type { name } pinnedPosition access { customerAccount } }
  }
}`;

export const createDefinition = `mutation FacturapuenteDefine($definition: MetafieldDefinitionInput!) {
  metafieldDefinitionCreate(definition: $definition) { userErrors { field message code } }
}`;

export const updateDefinition = `mutation FacturapuenteRedefine($definition: MetafieldDefinitionUpdateInput!) {
  metafieldDefinitionUpdate(definition: $definition) { userErrors { field message code } }
}`;
