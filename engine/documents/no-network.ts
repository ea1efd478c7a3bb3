/** Loaded before a parser: what reads documents has nobody to talk to but the process that started it. */
import { Socket as Datagrams } from 'node:dgram';
import { Server, Socket } from 'node:net';

const refuse = (): never => {
  throw new Error('a parser has no network');
};

Socket.prototype.connect = refuse;
Server.prototype.listen = refuse;
Datagrams.prototype.bind = refuse;
Datagrams.prototype.send = refuse;
Datagrams.prototype.connect = refuse;
