import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';

/**
 * Upper bound of what Shopify charges for an operation: an object 1, a scalar 0, a list or connection `first`
 * times its element, 2 for the connection itself with its page info, a mutation 10 (shopify.dev, API rate
 * limits). Lists without `first` count once.
 */
export function queryCost(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> = {},
): number {
  const fragments = new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment.selectionSet] as const),
  );
  const fields = (set: SelectionSetNode): FieldNode[] =>
    set.selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : fragments.get(selection.name.value);
      return inner ? fields(inner) : [];
    });
  const sum = (set: SelectionSetNode): number =>
    fields(set).reduce((total, field) => total + costOf(field), 0);

  function costOf(field: FieldNode): number {
    const set = field.selectionSet;
    if (!set) return 0;
    const first = field.arguments?.find(({ name }) => name.value === 'first')?.value;
    if (!first) return 1 + sum(set);
    const size = Number(valueFromASTUntyped(first, variables) ?? 1);
    const nodes = fields(set).find(({ name }) => name.value === 'nodes')?.selectionSet;
    if (!nodes) return size * (1 + sum(set));
    return 2 + size * (1 + sum(nodes));
  }

  return (operation.operation === 'mutation' ? 10 : 0) + sum(operation.selectionSet);
}

/** What the answer really took: one for each object in it, a mutation 10 more. Shopify gives the rest back. */
export function answerCost(operation: OperationDefinitionNode, data: unknown): number {
  const objects = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce((total, one) => total + objects(one), 0);
    if (typeof value !== 'object' || value === null) return 0;
    return 1 + objects(Object.values(value));
  };
  // The answer itself is none.
  return Math.max(0, objects(data) - 1) + (operation.operation === 'mutation' ? 10 : 0);
}
