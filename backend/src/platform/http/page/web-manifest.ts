import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import type { AppConfig } from '../../config/app-config.js';
import type { Language } from '../../errors/app-error.js';
import { requestLanguageOf } from '../parsing/request-language.js';
import type { AppRequest } from '../parsing/viewer.js';

export const MANIFEST_PATH = '/manifest.webmanifest';
/** Where phones send files that another app shares. The service worker answers (frontend/public/service-worker.js). */
const SHARE_PATH = '/share-files';
const UPLOAD_PAGE = '/dashboard?do=upload';
/** The light background of the theme, shown while the installed app starts. */
const BACKGROUND = '#fafaf7';

const shortcutNames: Record<Language, { zones: string; upload: string }> = {
  en: { zones: 'My Zones', upload: 'Upload Files' },
  tr: { zones: 'Bölgelerim', upload: 'Dosya Yükle' },
};

/**
 * Serves the web manifest, with which browsers install the page as an app under the name of this installation, and
 * redirects files shared with an app whose service worker was removed to the page where they can be chosen.
 */
export function serveWebManifest(app: NestExpressApplication, config: AppConfig): void {
  const express = app.getHttpAdapter().getInstance() as Record<
    'get' | 'post',
    (path: string, handler: unknown) => void
  >;
  express.get(MANIFEST_PATH, (request: Request, response: Response) => {
    const language = requestLanguageOf(request as unknown as AppRequest);
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.vary('Accept-Language').type('application/manifest+json');
    response.send(JSON.stringify(createManifest(config.appName, language)));
  });
  express.post(SHARE_PATH, (_request: Request, response: Response) => {
    // Closes the connection instead of reading the files.
    response.setHeader('Connection', 'close').redirect(303, UPLOAD_PAGE);
  });
}

function createManifest(name: string, language: Language): object {
  const names = shortcutNames[language];
  const icon = (size: number, purpose: string) => ({
    src: `/icons/${purpose}-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return {
    id: '/',
    name,
    short_name: name,
    lang: language,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: BACKGROUND,
    icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable')],
    shortcuts: [
      { name: names.zones, url: '/zones' },
      { name: names.upload, url: UPLOAD_PAGE },
    ],
    share_target: {
      action: SHARE_PATH,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'files', accept: ['*/*'] }] },
    },
  };
}
