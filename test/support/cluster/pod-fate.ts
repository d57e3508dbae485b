/** What happens to a pod after its creation. `refused`: a quota or a webhook; it is never created. */
export type PodFate =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'refused'; readonly message: string };

export interface PodObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What runs pods: a test's decision, or real processes. */
export interface PodRuntime {
  /** Called at each step for each pod: true if it is ready. */
  isReady(pod: PodObject): Promise<boolean>;
  /** The pod was removed. */
  end?(pod: PodObject): Promise<void>;
  /** Why a pod with these annotations cannot be created. */
  refusal?(annotations: Readonly<Record<string, string>>): string | undefined;
}

/** Pods with a fate that a test decides. */
export function fatedPods(fateOf: (annotations: PodObject['annotations']) => PodFate): PodRuntime {
  return {
    isReady: async ({ annotations }) => fateOf(annotations).kind === 'ready',
    refusal(annotations) {
      const fate = fateOf(annotations);
      return fate.kind === 'refused' ? fate.message : undefined;
    },
  };
}
