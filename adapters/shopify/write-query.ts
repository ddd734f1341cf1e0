/* What we write onto orders (API 2026-10). */

/** What we wrote before. */
export const writtenQuery = `query FacturapuenteWritten($id: ID!) {
  order(id: $id) {
    tags
    metafields(first: 20, namespace: "$app:facturapuente") { nodes { key type value } }
  }
}`;

/** Upsert, all or nothing, at most 25. Scope: write_orders, as for everything below. */
export const setMetafields = `mutation FacturapuenteSet($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) { userErrors { field message code } }
}`;

export const deleteMetafields = `mutation FacturapuenteDelete($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) { userErrors { field message } }
}`;

export const addTags = `mutation FacturapuenteTag($id: ID!, $tags: [String!]!) {
  tagsAdd(id: $id, tags: $tags) { userErrors { field message } }
}`;

export const removeTags = `mutation FacturapuenteUntag($id: ID!, $tags: [String!]!) {
  tagsRemove(id: $id, tags: $tags) { userErrors { field message } }
}`;
