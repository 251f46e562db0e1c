import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { sendImage } from '../shared/send-image.js';
import { DocumentPageService, type PageRequest } from './document-page.service.js';

/** Answers requests for page images, by users and by guests of links. */
@Injectable()
export class PageResponseService {
  constructor(private readonly documentPage: DocumentPageService) {}

  /**
   * Sends a page of a document as a picture.
   * @param count called before each response, to count a view
   * @throws the errors of `DocumentPageService.findPage`
   */
  async sendPage(
    file: AccessibleFile,
    pageRequest: PageRequest,
    request: Request,
    response: Response,
    count: () => Promise<void>,
  ): Promise<void> {
    const found = await this.documentPage.findPage(file, pageRequest);
    const open = async () => {
      const { picture, bytes } = await this.documentPage.openPage(file, pageRequest, found);
      return { ...picture, bytes };
    };
    await sendImage(request, response, found.etag, open, count);
  }
}
