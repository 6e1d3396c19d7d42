/** The modules that replace other packages, with the options of these and those here that do the same, if any. */
const ELSEWHERE = [
  [
    'packord/msgpackr',
    'useRecords:records mapsAsObjects:maps objectsAsMaps:maps int64AsType:int64 int64AsNumber:int64 moreTypes:rich ' +
      'useBigIntExtension:bigint useFloat32:float32 skipValues:skipNil maxIncompleteBufferSize:maxBuffer ' +
      'structuredClone bundleStrings variableMapSize allowArraysInMapKeys largeBigIntToFloat:bigint ' +
      'largeBigIntToString:bigint useTimestamp32 onInvalidDate:replacer mapAsEmptyObject setAsEmptyObject useToJSON ' +
      'writeFunction:replacer encodeUndefinedAsNil:replacer coercibleKeyAsNumber',
  ],
  [
    'packord/msgpack',
    'maxStrLength:maxStrLen maxBinLength:maxBinLen maxExtLength:maxExtLen maxArrayLength:maxArrayLen ' +
      'maxMapLength:maxMapLen useBigInt64:int64 extensionCodec:extensions rawStrings:utf8 forceFloat32:float32 ' +
      'ignoreUndefined forceIntegerToFloat initialBufferSize keyDecoder mapKeyConverter:maps',
  ],
] as const;

/** Returns what an option of another package is here, as the end of a message; nothing for any other name. */
export function elsewhere(name: string): string {
  let text = '';
  for (const [module, names] of ELSEWHERE)
    for (const [theirs, own] of names.split(' ').map((pair) => pair.split(':')))
      if (theirs === name) text += own === undefined ? `; ${module} has it` : `; it is ${own}, or ${name} of ${module}`;
  return text;
}
