export { ANYWHERE, type PhoneArea, areaOfPhone, stateNamed, zonesOfState } from '../places.js';
export * from './zip-zones.js';
