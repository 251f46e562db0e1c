import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiProduces, ApiResponse } from '@nestjs/swagger';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { fileErrors } from '../files.errors.js';

/** Documents a route that sends the bytes of a file. */
export const ApiContent = () =>
  applyDecorators(
    ApiProduces('application/octet-stream'),
    ApiHeader({ name: 'Range', required: false, description: 'One range, such as `bytes=0-99`.' }),
    ApiHeader({ name: 'If-None-Match', required: false }),
    ApiResponse({ status: 200, description: 'The bytes', schema: { type: 'string', format: 'binary' } }),
    ApiResponse({ status: 206, description: 'The range', schema: { type: 'string', format: 'binary' } }),
    ApiResponse({ status: 302, description: 'Temporary URL of the file, at the storage or at CONTENT_URL' }),
    ApiResponse({ status: 304, description: 'Unchanged' }),
    ApiErrors(fileErrors.DOWNLOAD_NOT_ALLOWED, fileErrors.RANGE_NOT_SATISFIABLE, storageErrors.STORAGE_UNAVAILABLE),
  );
