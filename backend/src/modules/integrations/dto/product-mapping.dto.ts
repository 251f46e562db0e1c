import { IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { OneLine, Trimmed } from '../../../platform/http/fields.js';
import { say } from '../../../platform/http/validation.js';

const all = () => say('Please fill in all fields', 'Lütfen tüm alanları doldurun');

export class CreateProductMappingDto {
  /** As the shop numbers its products. */
  @Trimmed()
  @OneLine()
  @IsString(all())
  @IsNotEmpty(all())
  @MaxLength(64, say('The product id is too long', 'Ürün kimliği çok uzun'))
  productId: string;

  @Trimmed()
  @OneLine()
  @IsString(all())
  @IsNotEmpty(all())
  @MaxLength(255, say('The product name is too long', 'Ürün adı çok uzun'))
  productName: string;

  @IsInt(all())
  @Min(1, all())
  @Max(Number.MAX_SAFE_INTEGER, all())
  zoneId: number;
}

export class ProductMappingDto {
  id: number;
  productId: string;
  productName: string;
  zoneId: number;
  zoneName: string;
  isActive: boolean;
  createdAt: Date;
}

/** A zone that a mapping may name. */
export class ZoneChoiceDto {
  id: number;
  name: string;
  ownerEmail: string;
  type: 'private' | 'public';
}
