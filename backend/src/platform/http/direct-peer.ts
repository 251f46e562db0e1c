import type { Request } from 'express';

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** Headers that a proxy, a tunnel or a content network adds. */
const FORWARDED =
  /^(x-forwarded.*|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*|x-envoy-.*|x-amz.*|x-azure-.*|x-appengine-.*|true-client-ip|cdn-loop|cf-.*|fastly-.*|fly-.*)$/;

/**
 * Whether a person or program at this machine asks: the peer is this machine, the name asked for as well (a foreign name
 * could be pointed here), and nothing says that it forwarded the request.
 */
export function askedHere({ socket, headers }: Pick<Request, 'socket' | 'headers'>): boolean {
  const direct =
    LOOPBACK.test(socket.remoteAddress ?? '') && !Object.keys(headers).some((name) => FORWARDED.test(name));
  return direct && LOCAL_HOST.test(headers.host ?? '');
}
