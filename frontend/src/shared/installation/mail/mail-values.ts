import type { Schema } from '../../api/client';

export type MailSetting = Schema<'MailSettingDto'>;
export type MailServer = Schema<'SetMailServerDto'>;

export interface MailValues extends Record<string, string> {
  host: string;
  port: string;
  security: MailServer['security'];
  user: string;
  /** Empty keeps the one that the server has. */
  password: string;
}

export const PORTS: Record<MailServer['security'], string> = { tls: '465', starttls: '587' };

export const mailValuesOf = ({ host, port, security, user }: MailSetting): MailValues => ({
  host: host ?? '',
  port: port === null ? PORTS.starttls : String(port),
  security: security ?? 'starttls',
  user: user ?? '',
  password: '',
});

export function mailServerOf({ host, port, security, user, password }: MailValues): MailServer {
  return {
    ...{ host: host.trim(), port: Number(port), security, user: user.trim() || null },
    ...(user.trim() && password && { password }),
  };
}
