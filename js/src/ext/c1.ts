/** The class of {@link C1}. */
export class C1Type {
  readonly name = 'MessagePack 0xC1';
}

/** What `packord/msgpackr` gives for the byte c1, and writes as such. The format forbids it. */
export const C1: C1Type = /* @__PURE__ */ new C1Type();
