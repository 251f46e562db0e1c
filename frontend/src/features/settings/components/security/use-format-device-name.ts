import { useTranslation } from 'react-i18next';
import type { Device } from '../../parse-user-agent';

/** Returns a function that formats a device name: "Firefox on Windows". */
export function useFormatDeviceName(): (device: Device) => string {
  const { t } = useTranslation('settings');
  return ({ browser, os, isApiClient }) => {
    if (isApiClient) return t('device.program');
    if (!browser && !os) return t('device.unknown');
    if (!os) return t('device.browserOnly', { browser });
    return t('device.on', { browser: browser ?? t('device.otherBrowser'), system: os });
  };
}
