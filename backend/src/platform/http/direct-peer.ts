import type { Request } from 'express';

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

/** Headers that a proxy, a tunnel or a content network adds. */
const FORWARDED =
  /^(x-forwarded.*|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*|x-envoy-.*|x-amz.*|x-azure-.*|x-appengine-.*|true-client-ip|cdn-loop|cf-.*|fastly-.*|fly-.*)$/;

/** Whether the request comes from a program on this machine, and nothing forwarded it. */
export function cameDirectly({ socket, headers }: Pick<Request, 'socket' | 'headers'>): boolean {
  return LOOPBACK.test(socket.remoteAddress ?? '') && !Object.keys(headers).some((name) => FORWARDED.test(name));
}
