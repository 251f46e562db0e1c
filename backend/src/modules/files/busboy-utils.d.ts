/** How busboy reads the headers of parts. */
declare module 'busboy/lib/utils.js' {
  type Decode = (data: Buffer | string, hint: number) => string | undefined;
  interface Header {
    type: string;
    params: Record<string, string | undefined>;
  }
  const utils: {
    parseContentType(header: string): Header | undefined;
    parseDisposition(header: string, decode: Decode): Header | undefined;
    getDecoder(charset: string): Decode;
  };
  export default utils;
}
