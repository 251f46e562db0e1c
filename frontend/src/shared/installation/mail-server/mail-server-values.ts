import type { Schema } from '../../api/client';

export type MailServerSetting = Schema<'MailSettingDto'>;
export type MailServer = Schema<'SetMailServerDto'>;

export interface MailServerValues extends Record<string, string> {
  host: string;
  port: string;
  security: MailServer['security'];
  user: string;
  /** Empty keeps the stored password. */
  password: string;
}

export const DEFAULT_PORTS: Record<MailServer['security'], string> = { tls: '465', starttls: '587' };

export const toMailServerValues = ({ host, port, security, user }: MailServerSetting): MailServerValues => ({
  host: host ?? '',
  port: port === null ? DEFAULT_PORTS.starttls : String(port),
  security: security ?? 'starttls',
  user: user ?? '',
  password: '',
});

export function toMailServer({ host, port, security, user, password }: MailServerValues): MailServer {
  return {
    host: host.trim(),
    port: Number(port),
    security,
    user: user.trim() || null,
    ...(user.trim() && password && { password }),
  };
}
