import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { say } from '../../../platform/http/validation.js';

const notAFolder = say('This is not a folder', 'Bu bir klasör değil');

/** DTO field that may name a folder; without it the root is meant. */
export const FolderIdRule = () =>
  applyDecorators(IsOptional(), IsInt(notAFolder), Min(1, notAFolder), Max(Number.MAX_SAFE_INTEGER, notAFolder));

/** The same in a query or a form, where numbers are text and an empty field is none. */
export const FolderIdText = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === '' ? undefined : Number(value))),
    FolderIdRule(),
  );
